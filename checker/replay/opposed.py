"""The other side of a violation: earlier statements with which the one that violates the property contradicts.

"p1 delivered m1 before m2, but p2 delivered m2 before m1" is about what two processes did. The statement that violates
the property (`checker.replay.deciding`) is only the last of it, and may be right. For each process that the violation
is about, one earlier statement of the same kind is sought:

* If the property also reads a variable that the last step leaves as it is: the first statement that writes it with a
  value that the sentence names, as where a guess is compared with what is decided.
* Else, if the sentence names two values or more, such as two messages, or if the process is the one that takes the
  last step: the first statement that does the same with a value that the sentence names.
* Else the statement of the step since which the property is false, if the other processes have the values that they
  have at the end.

Where it stops: a process of whose statement the other process has no like has none, nor has one without entries of its
own in the variables that the property reads.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.frozen import frozen
from checker.language.collection_domains import MapDomain
from checker.language.definition import PropertyDefinition
from checker.language.domains import Domain
from checker.replay.deciding import Decided, Wanted, chosen, done_in, type_of, writes
from checker.replay.executed import Done
from checker.replay.fallback import failing
from checker.replay.passed_over import with_passed_over
from checker.replay.plain import instance_text, plain
from checker.replay.settled import told
from checker.replay.traced import Run, property_of
from checker.trace.trace import Trace
from checker.trace.values import mentions, texts_in

MOST = 2
WORD = re.compile(r"\w[\w.]*\w")


def with_opposed(trace: Trace, run: Run, breaks: Decided) -> Trace:
    """The trace with these statements, in sentences; the step that settles the violation is not named twice.  Where
    the violating process took what it did only because a rule was false, this rule is the condition of a process for
    which it is true.  An earlier step that set what the condition reads is then named only if it does something with
    what the sentence names.  breaks: the statement that violates the property."""
    sides = _Sides(trace, run, breaks, frozenset(run.depended_on(property_of(run.definition, trace.property))))
    found = {n: side for lane in sides.lanes for n, side in sides.of(lane)}
    shown = [n for n in sorted(found) if n != trace.settled][:MOST]
    if not found:
        missing = {v for v in sides.about if not mentions(breaks.statement.words, v)}
        return with_passed_over(trace, run, missing) if missing else trace
    if trace.earlier is not None and (trace.earlier in found or not sides.concerned(trace.settles)):
        trace = evolve(trace, earlier=None, settles="")
    own, _, asked = told(breaks, trace, run.definition)
    rule = failing(breaks.before, asked) if asked is not None else None
    first = () if rule is None else (rule.node,)

    def text(side: Decided) -> str:
        other, _, condition = told(side, trace, run.definition, first)
        return other if other != own else "the same, for the same reason" if condition else "the same"

    texts = (f"AGAINST, {sides.where(n)}: {text(found[n])}" for n in shown)
    return evolve(trace, opposite=tuple(shown), opposes=tuple(texts))


@frozen
class _Sides:
    """What the processes did that a violation is about.  depends: the variables that the property reads."""

    trace: Trace
    run: Run
    breaks: Decided
    depends: Collection[str]

    @property
    def lanes(self) -> Sequence[str]:
        """The processes."""
        named = (lane for lane in self.trace.lanes if mentions(self.trace.witness, lane))
        return self.trace.guilty or tuple(named)

    @property
    def about(self) -> Collection[str]:
        """The values that the sentence names, no processes, of the types of those with which the statement is
        executed."""
        values = {v for v in texts_in(self.trace.witness_values) if v not in self.trace.lanes}
        types = {type_of(v) for v in values} & {type_of(v) for v in WORD.findall(self.breaks.statement.words)}
        named = set(WORD.findall(self.trace.witness))
        return {v for v in named if type_of(v) in types and type_of(v) != v}

    def concerned(self, told: str) -> bool:
        """Whether a sentence names a value that the witness names, and that is no process."""
        named = {v for v in WORD.findall(self.trace.witness) if type_of(v) != v and v not in self.trace.lanes}
        return any(mentions(told, v) for v in named)

    def where(self, number: int) -> str:
        """A step, with the instance of the action that it takes, if it is not the last one."""
        step = self.trace.steps[number - 1]
        if number == len(self.trace.steps):
            return "earlier in the same step"
        return f"step {number}, {instance_text(step.action, step.args.values())}"

    def of(self, lane: str) -> Iterator[tuple[int, Decided]]:
        """The step and the statement of a process, if there is one."""
        acts = self._is_about(lane, self.breaks.statement.words, len(self.trace.steps))
        found = self._elsewhere(lane) if len(self.about) > 1 else None
        if found is not None:
            yield found
            return
        found = self._first(lane, acts and len(self.about) == 1) if acts or len(self.about) > 1 else None
        found = found or (None if acts else self._since(lane))
        if found is not None:
            yield found

    def _is_about(self, lane: str, words: str, number: int) -> bool:
        """Whether a statement of a step is about a process: it names it, or names none and the process takes the
        step."""
        if any(mentions(words, other) for other in self.trace.lanes):
            return mentions(words, lane)
        return self.trace.steps[number - 1].lane == lane

    def _alike(self, lane: str, number: int) -> Wanted:
        does = _does(self.breaks.statement.node)
        return lambda done: _does(done.node) == does and self._is_about(lane, done.words, number)

    def _first(self, lane: str, itself: bool) -> tuple[int, Decided] | None:
        """The first statement that does the same with a value that the sentence names.  itself: only an execution of
        the same statement."""
        line = self.breaks.place if itself else None
        for number in self._changing(lane):
            alike = self._alike(lane, number)
            done = self._done(number)
            named = (d for d in done if alike(d) and any(mentions(d.words, v) for v in self.about))
            found = chosen(done, [d for d in named if line in (None, d.place)])
            if found is not None:
                return number, found
        return None

    def _elsewhere(self, lane: str) -> tuple[int, Decided] | None:
        """The first statement that writes, of what the property itself reads, a variable which the last step leaves as
        it is, with a value that the sentence names."""
        read, (before, after) = self.run.read(self._property), self.run.states[-2:]
        kept = {v.name for n, v in enumerate(self.run.definition.variables) if before[n] == after[n]} & read
        written = writes(kept)
        for number in self._changing(lane):
            done = self._done(number)
            changed = (d for d in done if written(d) and "emit" not in _does(d.node))
            named = (d for d in changed if any(mentions(d.words, v) for v in self.about))
            found = chosen(done, [d for d in named if self._is_about(lane, d.words, number)])
            if found is not None:
                return number, found
        return None

    def _since(self, lane: str) -> tuple[int, Decided] | None:
        """The statement of the step since which the property is false, if the others do what they do."""
        number, states = len(self.run.steps), self.run.states
        if self._property.kind != "invariant":
            return None
        while number > 0 and self._is_false(self._with_entries(lane, states[number - 1])):
            number -= 1
        if number == 0:
            return None
        done = self._done(number)
        found = chosen(done, [*filter(self._alike(lane, number), done)])
        return None if found is None else (number, found)

    def _done(self, number: int) -> Sequence[Done]:
        """What the methods of the model did in a step; in the last one before the violation."""
        if number == len(self.run.steps):
            return self.breaks.before
        states = self.run.states
        return done_in(self.run.interpreter, states[number - 1], states[number], self.run.steps[number - 1])

    def _changing(self, lane: str) -> Iterator[int]:
        """The steps that change what the property reads, of maps of processes the entries of one process."""
        for number, (before, after) in enumerate(zip(self.run.states, self.run.states[1:]), 1):
            if self._read(lane, before) != self._read(lane, after):
                yield number

    def _read(self, lane: str, state: Raw) -> list[Any]:
        found = list[Any]()
        for variable, raw in zip(self.run.definition.variables, state):
            if self._is_read(variable.name):
                own = self._own(lane, variable.domain)
                found.append([e for is_own, e in zip(own, raw) if is_own] if own else raw)
        return found

    def _own(self, lane: str, domain: Domain) -> Sequence[bool]:
        """Of a map of processes, which of the keys are this process; of any other value nothing."""
        of_processes = isinstance(domain, MapDomain) and domain.key in self.run.acting
        return [str(plain(key)) == lane for key in domain.key] if of_processes else ()  # type: ignore[attr-defined]

    def _is_read(self, variable: str) -> bool:
        return variable in self.depends or variable.startswith(f"{self.trace.property}.")

    def _with_entries(self, lane: str, earlier: Raw) -> Raw:
        """The last state with the earlier entries of a process in the maps of processes that the property reads."""
        found = list(self.run.states[-1])
        for number, variable in enumerate(self.run.definition.variables):
            own = self._own(lane, variable.domain) if self._is_read(variable.name) else ()
            if own:
                found[number] = tuple(e if is_own else f for is_own, e, f in zip(own, earlier[number], found[number]))
        return tuple(found)

    def _is_false(self, state: Raw) -> bool:
        return Interpreter(self.run.definition).violated(self._property, state) is True

    @property
    def _property(self) -> PropertyDefinition:
        return property_of(self.run.definition, self.trace.property)


def _does(node: ast.stmt) -> tuple[str, ...]:
    """What a statement does, without what it does it to: the names that it calls, or the variable that it assigns."""
    match node:
        case ast.Expr(ast.Call(function)):
            return "calls", *_names(function)
        case ast.Assign([target]) | ast.AugAssign(target=target):
            return "sets", *_names(target)
    return (type(node).__name__,)


def _names(node: ast.expr) -> Iterator[str]:
    return (n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute))

"""Abstract execution of statements: one execution follows one case of an instance.

A guard, and a condition that decides whether something is sent, split cases if they are conditions of the state before
the step: they become literals of the instance.  All other branches are followed both ways and joined, and loops over
unknown items are followed to a fixpoint.  The recorded effects therefore include everything that some execution may
read, write, send and take.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.evaluate.environment import Script
from checker.ir.facts import locals_changed
from checker.ir.footprints.crashing import MAY_CRASH, dropping, guarded_sending
from checker.ir.footprints.effects import Effects, Write
from checker.ir.footprints.effort import Effort
from checker.ir.footprints.evaluating import MANY, MOST_VALUES, Evaluation, Read, is_scalar, on_maps
from checker.ir.footprints.knowledge import UNKNOWN, Knowledge, Value
from checker.ir.footprints.outcomes import BREAK, CONTINUE, CRASH, NEXT, RETURN, STOP, Outcomes, merge
from checker.ir.footprints.places import Part
from checker.ir.footprints.shapes import ANYTHING, FALSE, Known, Shape
from checker.ir.model import Function, Model
from checker.ir.values import values
from checker.ir.visit import children, walk

MOST_CASES = 6
"""The largest number of conditions that split the cases of one execution."""
ROUNDS = 8
RESULT = "$result"

_PLAIN = e.And | e.Or | e.Not | e.Compare | e.IsVariant | e.Field | e.VariantField | e.Const | e.Local
_LEAVING = s.Stop | s.Break | s.Continue | s.Leave | s.Return


class Impossible(Exception):
    """This case does not occur: a guard is false in it."""


@frozen
class Literal:
    """A condition of the state, or its negation."""

    condition: e.Expression
    holds: bool = True


@define
class Run:
    """One execution of an action: the decisions to follow (and those met), and the recorded effects."""

    model: Model
    networks: frozenset[str]
    effort: Effort
    static: dict[int, Any] = field(factory=dict)
    script: Script = field(factory=Script)
    literals: dict[Literal, None] = field(factory=dict)
    valued: dict[Literal, None] = field(factory=dict)  # literals on the values of numbers
    late: set[Literal] = field(factory=set)  # guards behind something that may be an error
    _risky: bool = False  # something that may be an error has been executed
    residual: bool = False  # a guard remains that is not a literal
    facts: dict[Part, Value] = field(factory=dict)
    evaluation: Evaluation = field(init=False)
    effects: Effects = field(init=False)
    taken: str = ""  # the local that holds the message received
    apart: bool = False  # every branch on a condition of the state makes separate cases, not only branches that send
    trail: list[s.Statement] = field(factory=list)  # executed statements, without conditions that split cases
    _crashes_drop: bool = False  # every crash drops the messages in flight to the process
    _weak: int = 0
    _loops: int = 0  # loops of any number of rounds
    _left: bool = False  # some execution may have ended or jumped before
    _depth: int = 0
    _current: Knowledge = field(factory=Knowledge)

    def __attrs_post_init__(self) -> None:
        self.evaluation = Evaluation(self.model, self.effort, self.static, split=self._split, call=self._call)

        self.effects = Effects(self.evaluation, self.networks, self.taken)

    def settle(self, crashes_drop: bool) -> None:
        """Split cases by values that the initial state determines.  crashes_drop: a crash drops the messages in
        flight."""
        self.evaluation.settled, self._crashes_drop = self._settled, crashes_drop

    # -- cases

    def _decide(self, cases: int) -> int | None:
        """The case to follow; None if no more cases are split."""
        return None if self._weak or self.script.position >= MOST_CASES else self.script.choose(cases)

    def _split(self, node: e.Expression, known: Knowledge) -> Shape:
        """Split by the values of the small numbers that an expression reads."""
        for place in [x for x in walk(node) if isinstance(x, e.Index | e.Variable) and on_maps(x)]:
            if not is_scalar(place.type):
                continue
            closed = self.evaluation.closed(place, known)
            if closed is None:
                continue
            part = self.evaluation.part(place, known)
            options = list(values(place.type)) if part.exact else []
            if isinstance(closed, e.Const) or not 1 < len(options) <= MOST_VALUES or known.of(part) is not None:
                continue
            chosen = self._decide(len(options))
            if chosen is None:
                continue
            raw = options[chosen]
            known.parts[part] = self.facts[part] = Value(Known(raw), e.Const(place.type, raw))
            self.valued[Literal(build.compare("==", closed, e.Const(place.type, raw)))] = None
        return self.evaluation.value(node, known)

    def _settled(self, part: Part, node: e.Contains) -> Shape | None:
        """Split by whether a process may crash, wherever a condition tests this: it does not change in a run."""
        if part.variable != MAY_CRASH or not part.exact:
            return None
        if part not in self.facts:
            raw = self.script.choose(2)
            self.facts[part] = Value(Known(raw), build.boolean(bool(raw)))
            item = e.Const(node.item.type, part.path[-1].item)  # type: ignore[union-attr]
            self.valued[Literal(build.contains(node.container, item), bool(raw))] = None
        return self.facts[part].shape

    def possible(self) -> bool:
        """Whether the literals can hold together, as far as the values kept apart decide."""
        facts = Knowledge(parts=dict(self.facts))
        return not any(
            isinstance(shape := self._judged(x.condition, facts), Known) and bool(shape.raw) != x.holds
            for x in self.literals
        )

    def needed(self) -> list[Literal]:
        """The literals: those on values, and the others that these do not imply."""
        facts = Knowledge(parts=dict(self.facts))
        return [*self.valued, *(x for x in self.literals if not isinstance(self._judged(x.condition, facts), Known))]

    def _judged(self, condition: e.Expression, known: Knowledge) -> Shape:
        run = Run(self.model, self.networks, self.effort, self.static, weak=1)
        return run.evaluation.value(condition, known)

    # -- calls

    def _call(self, function: Function, arguments: list[Value]) -> Shape:
        names = {p.name: a for p, a in zip(function.parameters, arguments)}
        known = Knowledge(names, self._current.parts, self._current.before)
        if self._depth > 20:
            raise RecursionError(function.name)
        self._depth += 1
        self._weak += 1
        outer, left = self._current, self._left
        with self.evaluation.inside(function.name, 0):
            outcomes = self.body(function.body, known)
        self._current, self._left = outer, left
        self._weak -= 1
        self._depth -= 1
        return outcomes[RETURN].locals[RESULT].shape if RETURN in outcomes else ANYTHING

    # -- bodies

    def body(self, body: Iterable[s.Statement], known: Knowledge) -> Outcomes:
        """Follow statements; what is known at each exit."""
        found: Outcomes = {}
        for statement in body:
            self._current = known
            self.evaluation.places[-1] = (self.evaluation.places[-1][0], statement.line)
            reached = self._statement(statement, known)
            self._risky = self._risky or self._may_fail(statement, known)
            following = reached.pop(NEXT, None)
            merge(found, reached)
            if following is None:
                return found
            known = following
        merge(found, {NEXT: known})
        return found

    def _may_fail(self, node: s.Statement, known: Knowledge) -> bool:
        """Whether a statement may be an error, apart from the statements in it and from guards."""
        match node:
            case s.Require():
                return False
            case s.BagRemove(_, _, e.Local(_, name)) if name == self.taken:
                return False
            case s.BagAdd(_, e.Variable(_, name)) if name in self.networks:
                pass
            case s.Assert() | s.Fail() | s.SeqAppend() | s.SeqInsert() | s.SeqRemoveAt() | s.BagAdd() | s.BagRemove():
                return True
            case s.While() | s.SetRemove(_, _, _, True):
                return True
        if isinstance(node, s.If) and all(isinstance(x, _PLAIN) for x in walk(node.condition)):
            if isinstance(self.evaluation.value(node.condition, known), Known):
                return False  # which variant a message holds was decided before a field of it is read
        inside = (x for x in children(node) if isinstance(x, e.Expression))
        return any(self.evaluation.may_fail(x, known) for x in walk(list(inside)))

    def _statement(self, node: s.Statement, known: Knowledge) -> Outcomes:
        value = self.evaluation.value
        self._left = self._left or isinstance(node, _LEAVING)
        if not self._weak and not isinstance(node, s.If | s.Block):
            self.trail.append(node)
        match node:
            case s.If():
                return self._if(node, known)
            case s.For():
                return self._for(node, known)
            case s.While(_, condition, body):
                return self._repeated(known, body, lambda k: value(condition, k))
            case s.Break():
                return {BREAK: known}
            case s.Continue():
                return {CONTINUE: known}
            case s.Block(_, label, body):
                found = self.body(body, known)
                left = found.pop(("leave", label), None)
                if left is not None:
                    merge(found, {NEXT: left})
                return found
            case s.Leave(_, label):
                return {("leave", label): known}
            case s.Return(_, result):
                known.locals[RESULT] = Value(value(result, known))
                return {RETURN: known}
            case s.Stop(_, crash):
                return {CRASH if crash else STOP: known}
            case s.Fail():
                return {}
            case s.Assert(_, condition):
                return {} if value(condition, known) == FALSE else {NEXT: known}
            case s.Require(_, condition):
                return self._require(condition, known)
            case s.Choose(_, local, iterable):
                self._choose(local, iterable, known)
                return {NEXT: known}
        sure = not self._weak and not self._left
        self.effects.follow(node, known, sure, MANY if self._loops else 1)
        return {NEXT: known}

    def _require(self, condition: e.Expression, known: Knowledge) -> Outcomes:
        for part in condition.operands if isinstance(condition, e.And) else (condition,):
            shape = self.evaluation.value(part, known)
            if shape == FALSE:
                self.residual = True
                if not self._weak and not self._risky:
                    raise Impossible
                return {}
            before = set(self.literals)
            noted = not isinstance(shape, Known) and self._literal(part, known, True)
            if not isinstance(shape, Known) and not noted:
                self.residual = True
            if self._risky:
                self.late |= set(self.literals) - before
            # what became a literal cannot fail
            self._risky = self._risky or (not noted and any(self.evaluation.may_fail(x, known) for x in walk(part)))
        return {NEXT: known}

    def _literal(self, condition: e.Expression, known: Knowledge, holds: bool) -> bool:
        """Record that a condition holds, or not; False if it is not a condition of the state before the step."""
        if self._weak:
            return False
        closed = self.evaluation.closed(condition, known)
        if closed is None:
            return False
        while isinstance(closed, e.Not):
            closed, holds = closed.value, not holds
        if isinstance(closed, e.Const):
            if bool(closed.value) != holds:
                raise Impossible
            return True
        self.literals[Literal(closed, holds)] = None
        return True

    def _choose(self, local: e.Local, iterable: e.Expression, known: Knowledge) -> None:
        if local.name == self.taken:
            return
        items = self.evaluation.items(iterable, known)
        if not isinstance(iterable, e.Domain | e.Range):
            self.residual = True  # there may be nothing to choose from
        known.locals[local.name] = Value(items[0] if len(items) == 1 else ANYTHING)

    # -- branches and loops

    def _if(self, node: s.If, known: Knowledge) -> Outcomes:
        if self._crashes_drop and self._sent_if_alive(node, known):
            return {NEXT: known}
        shape = self.evaluation.value(node.condition, known)
        if isinstance(shape, Known):
            return self.body(node.then if shape.raw else node.other, known)
        if (
            (self.apart or self.effects.sent_in(node))
            and not self._weak
            and self.script.position < MOST_CASES
            and self.evaluation.closed(node.condition, known) is not None
        ):
            chosen = self._decide(2)
            self._literal(node.condition, known, chosen == 0)
            return self.body(node.other if chosen else node.then, known)
        if not self._weak:
            self.trail.append(node)
        self._weak += 1
        found: Outcomes = {}
        for body in (node.then, node.other):
            writes, reads = set(self.effects.writes), set(self.evaluation.reads)
            reached = self.body(body, known.copy())
            if set(reached) == {CRASH}:
                self._crashing(writes, reads)
            merge(found, reached)
        self._weak -= 1
        return found

    def _sent_if_alive(self, node: s.If, known: Knowledge) -> bool:
        """Whether a branch only sends a message if its target is alive.  Then the message counts as sent and nothing as
        read, because a crash drops the message.
        """
        if not guarded_sending(node, self.networks):
            return False
        self._weak += 1
        self.body(node.then, known)
        self._weak -= 1
        return True

    def _crashing(self, writes: set[Write], reads: set[Read]) -> None:
        """Mark all writes and reads except these as writes and reads that occur only if the acting process crashes."""
        made, noted = self.effects.writes, self.evaluation.reads
        self.effects.writes = {w if w in writes else evolve(w, crash=True): n for w, n in made.items()}
        self.evaluation.reads = {r if r in reads else evolve(r, crash=True): None for r in noted}

    def _dropped(self, node: s.For, known: Knowledge) -> bool:
        """Whether a loop only drops the messages in flight to a process.  Then the drop is recorded."""
        found = dropping(node, self.networks)
        target = ANYTHING if found is None else self.evaluation.value(found.target, known)
        if found is None or not isinstance(target, Known):
            return False
        self.effects.drops.add((found.network, target.raw))
        if not self._weak and not self._left:
            self.effects.drops_surely.add((found.network, target.raw))
        return True

    def _for(self, node: s.For, known: Knowledge) -> Outcomes:
        if self._dropped(node, known):
            return {NEXT: known}
        items = self.evaluation.items(node.iterable, known)
        if not all(isinstance(item, Known) for item in items):

            def again(k: Knowledge) -> Shape:
                k.locals[node.local.name] = Value(items[0])
                return ANYTHING

            return self._repeated(known, node.body, again)
        found: Outcomes = {}
        after = known
        for item in items:
            after.locals[node.local.name] = Value(item)
            following = self._round(node.body, after, found)
            if following is None:
                return found
            after = following
        merge(found, {NEXT: after})
        return found

    def _round(self, body: tuple[s.Statement, ...], known: Knowledge, found: Outcomes) -> Knowledge | None:
        """What is known where a round of a loop continues; what is known where it leaves the loop is added to
        `found`."""
        reached = self.body(body, known)
        a, b = reached.pop(NEXT, None), reached.pop(CONTINUE, None)
        merge(found, {NEXT if way == BREAK else way: left for way, left in reached.items()})
        return a.joined(b) if a is not None and b is not None else a or b

    def _repeated(self, known: Knowledge, body: tuple[s.Statement, ...], begin: Any) -> Outcomes:
        """A loop of any number of rounds."""
        self._weak += 1
        self._loops += 1
        changed = locals_changed(body)
        found: Outcomes = {}
        for number in count():
            inner = known.copy()
            shape = begin(inner)
            if shape == FALSE:
                break
            self._current = inner
            after = self._round(body, inner, found)
            if after is None:
                break
            joined = known.joined(after)
            if joined == known:
                break
            known = joined
            if number >= ROUNDS - 2:  # the fixpoint iteration ends: nothing is known of what the rounds change
                known.parts = {p: UNKNOWN if v.written else v for p, v in known.parts.items()}
                known.locals.update(dict.fromkeys(changed, Value()))
        self._weak -= 1
        self._loops -= 1
        merge(found, {NEXT: known})
        return found

"""The step that settles a violation: after it every continuation without a fault violates the property.

From each state of the run, the last first, all continuations are followed up to their first state that violates the
property.  The violation is settled in a state if they all end in such a state.  It is not settled if one of them can
stop before: nothing is enabled any more, or only steps that need not happen (fair=False), or a step fails.

Where it stops: it is not known from a state of which more than MOST_STATES states would have to be looked at, nor if a
continuation returns to a state, as it may go on for ever.  Then no step is named.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.definition import Definition, PropertyDefinition
from checker.replay.cited import cited
from checker.replay.deciding import Decided, decided, done_in, is_of_library, sends, writes
from checker.replay.executed import Done
from checker.replay.plain import instance_text
from checker.replay.repaired import repaired_rule
from checker.replay.traced import Run, property_of
from checker.trace.events import Crash
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import texts_in
from checker.wording import SETTLED

MOST_STATES = 1000
BECAUSE = ", because "


def told(
    found: Decided, trace: Trace, definition: Definition, first: Collection[ast.stmt] = ()
) -> tuple[str, str, Done | None]:
    """A statement with the condition that led to its execution, this condition, and where it was asked.  first: rules
    that come before other conditions if they are true."""
    values = list(dict.fromkeys(texts_in(trace.witness_values)))
    condition, asked = found.condition(trace.witness, values, trace.lanes, definition, first)
    return because_of(found.text, condition), condition, asked


def settled(trace: Trace, run: Run, breaks: Decided) -> Trace:
    """The trace of a violation by its last step, with the step that settles it, if that is an earlier one and no input
    of the protocol; the rule that another class repairs there, or in the last step, is the condition that is shown.
    breaks: the statement that violates the property."""
    property = property_of(run.definition, trace.property)
    number = settling_step(run.interpreter, property, run.states, run.steps)
    if number is None or _is_input(run.steps[number - 1]):
        return _repaired_at_end(trace, run, breaks)
    step, states = run.steps[number - 1], (run.states[number - 1], run.states[number])
    rule = repaired_rule(run.interpreter, states, step, trace.property)
    text = settling_text(trace, run, number, rule)
    noted = evolve(trace.steps[number - 1], note=SETTLED.format(trace.property))
    if not rule:
        trace = _repaired_at_end(trace, run, breaks)
    steps = [*trace.steps[: number - 1], noted, *trace.steps[number:]]
    return evolve(trace, steps=steps, settled=number, earlier=None, settles=text, mended=bool(rule))


def settling_text(trace: Trace, run: Run, number: int, rule: str) -> str:
    """What the step that settles a violation does, with the rule that another class repairs there ("": none)."""
    does, found = _named(trace, run, number)
    return because_of(does, rule or (_reason(found, trace, run) if found is not None else ""))


def _reason(found: Decided, trace: Trace, run: Run) -> str:
    """The condition of a statement; else why the step does not do it with what the violation is about, too."""
    values = [value for value in texts_in(trace.witness_values) if value not in trace.lanes]
    return told(found, trace, run.definition)[1] or found.leaves_out(values)


def is_bare(trace: Trace, run: Run) -> bool:
    """Whether a step that settles the violation is named without a reason, and is no fault and no crash, which are
    reasons themselves: then it says no more than the run itself."""
    if trace.settled is None:
        return False
    step = trace.steps[trace.settled - 1]
    by_fault = step.fault or any(isinstance(event, Crash) for event in step.events)
    return not by_fault and trace.settles == _named(trace, run, trace.settled)[0]


def unsettled(trace: Trace, run: Run, breaks: Decided) -> Trace:
    """The trace without a step that settles the violation."""
    return _repaired_at_end(trace, run, breaks)


def _named(trace: Trace, run: Run, number: int) -> tuple[str, Decided | None]:
    """The step with what it does, and the statement that does it."""
    found, step = settling_statement(trace, run, number), trace.steps[number - 1]
    text = f"SETTLED, step {number}, {instance_text(step.action, step.args.values())}"
    return (text, None) if found is None else (f"{text}: {_happens(found, step, run)}", found)


def _happens(found: Decided, step: TraceStep, run: Run) -> str:
    """What a statement does in a step, with its line; of a send that a crash cuts off that it does not happen."""
    crash = next((event for event in step.events if isinstance(event, Crash)), None)
    if crash is None or not sends(found.statement) or not (crash.before or crash.unreached):
        return found.text
    if not crash.before:
        return f"{found.text}, and crashes before it reaches {', '.join(crash.unreached)}"
    states = run.states[step.number - 1], run.states[step.number]
    done = done_in(run.interpreter, *states, run.steps[step.number - 1])
    *_, last = (d for d in done if d.effect and not is_of_library(d.place))
    is_last = (last.place, last.words) == (found.place, found.statement.words)
    return f"crashes before {crash.before}{cited(found.place)}" if is_last else found.text


def settling_statement(trace: Trace, run: Run, number: int) -> Decided | None:
    """What a step does last of what the last step reads, or sends; of several statements that of which the witness
    names most."""
    done = done_in(run.interpreter, run.states[-2], run.states[-1], run.steps[-1])
    read = {name for d in done for name in _read_by(d.node)} & {v.name for v in run.definition.variables}
    reads = run.depended_on(property_of(run.definition, trace.property))
    kinds = [lambda d: _assigns(d, read) or sends(d), writes(reads), lambda d: True]
    states = run.states[number - 1], run.states[number]
    return decided(run.interpreter, *states, run.steps[number - 1], kinds, trace.witness)


def _repaired_at_end(trace: Trace, run: Run, breaks: Decided) -> Trace:
    """The trace with the rule that another class repairs in the last step, if there is one, as the condition."""
    rule = repaired_rule(run.interpreter, (run.states[-2], run.states[-1]), run.steps[-1], trace.property)
    if not rule:
        return trace
    return evolve(trace, decides=because_of(breaks.text, rule), because=rule, earlier=None, settles="", mended=False)


def because_of(does: str, condition: str) -> str:
    return f"{does}{BECAUSE}{condition}" if condition else does


def _is_input(step: Step) -> bool:
    """Whether a step is not the protocol's: the language gives it to every model, and it is no fault."""
    function = step.action.function
    return function is not None and not step.action.fault and is_of_library((function.__code__.co_filename, 0))


def _read_by(node: ast.stmt) -> Iterator[str]:
    """The attributes that a statement reads where it tests, or computes a value or an argument; a rule reads all that
    it has."""
    match node:
        case ast.If(test) | ast.While(test):
            parts: list[ast.AST] = [test]
        case ast.For(iter=domain):
            parts = [domain]
        case ast.Assign(value=ast.expr() as value) | ast.AnnAssign(value=ast.expr() as value):
            parts = [value]
        case ast.Expr(ast.Call(args=arguments)):
            parts = [*arguments]
        case _:
            parts = [node]
    yield from (n.attr for part in parts for n in ast.walk(part) if isinstance(n, ast.Attribute))


def _assigns(done: Done, names: Collection[str]) -> bool:
    """Whether a statement writes one of these variables; an event is none."""
    return writes(names)(done) and not done.words.startswith("does emit.")


def settling_step(
    interpreter: Interpreter, property: PropertyDefinition, states: Sequence[Raw], steps: Sequence[Step]
) -> int | None:
    """The number of the step that settles the violation by the last step of a run; None if the last step itself does,
    if the initial state is settled, as no step of the run decides then, or if it is not known."""
    settled = _Settled(interpreter, property)
    for number in range(len(steps), 0, -1):
        before = settled.in_state(states[number - 1])
        if not before:
            return None if before is None or number == len(steps) else number
    return None


@define
class _Settled:
    """Whether a violation is settled in a state; known: states in which it is."""

    interpreter: Interpreter
    property: PropertyDefinition
    known: set[Raw] = field(factory=set)

    def in_state(self, start: Raw) -> bool | None:
        """Whether all continuations from a state violate the property; None if it is not known."""
        following: dict[Raw, Collection[Raw]] = {}
        waiting, seen = [start], {start}
        while waiting:
            state = waiting.pop()
            if state in self.known:
                continue
            after = self._following(state)
            if after is None:
                return False
            if len(seen) > MOST_STATES:
                return None
            following[state] = after
            waiting += [s for s in after if s not in seen]
            seen.update(after)
        if not _ends(following):
            return None
        self.known |= following.keys()
        return True

    def _following(self, state: Raw) -> Collection[Raw] | None:
        """The states in which a continuation has not violated the property after one more step; None if it may stop
        here, or fails."""
        steps = [s for s in list(self.interpreter.steps(state)) if s.progress and s.after != state]
        if any(s.after is None for s in steps) or not any(s.weakly_fair for s in steps):
            return None
        return dict.fromkeys(s.after for s in steps if s.after is not None and not self._violated(s.after, state))

    def _violated(self, state: Raw, before: Raw) -> bool:
        earlier = before if self.property.kind == "step" else None
        return self.interpreter.violated(self.property, state, earlier) is True


def _ends(following: Mapping[Raw, Collection[Raw]]) -> bool:
    """Whether no path returns to a state."""
    try:
        TopologicalSorter(following).prepare()
    except CycleError:
        return False
    return True

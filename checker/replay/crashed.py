"""Which crash prevents the missing value from reaching a process: the run is repeated without the crash as far as it is
possible, and then continued.

Of what the crashed process does in this continuation the step is named in which it sends to the process that misses the
value, else its first step.

The step is taken again without its crash, or left out if it is a crash and nothing else; the steps of the rest of the
run follow as far as they are still enabled, then any steps but faults.  A crash is named if this continuation reaches a
state with the missing value.

Where it stops: at most MOST_STATES states are examined for each crash.  `checker.replay.lost` names a crash in the
middle of sending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.replay.cited import cited
from checker.replay.deciding import decided, sends, writes
from checker.replay.plain import instance_text, value_text
from checker.trace.events import Crash
from checker.trace.reasons import Reason
from checker.trace.trace import Step as TraceStep

MOST_STATES = 60
Path = tuple[tuple[Raw, Step], ...]
"""Steps with the states before them."""


def crashed(
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    shown: Sequence[TraceStep],
    process: str,
    came: Callable[[Raw], bool],
) -> tuple[Reason, ...]:
    """The crashes before which something was not sent to the process, as sentences.  shown: the steps with their
    events; came: whether a state has the missing value.
    """
    found = []
    for step in shown:
        for event in step.events:
            if isinstance(event, Crash) and event.lane != process and process not in event.unreached:
                path = _without(interpreter, states, steps, step.number, event.lane, came)
                sent = next(_sent(interpreter, path, event.lane, process), None)
                told, placed = sent or _first_step(interpreter, path, event.lane)
                sentence = f"{event.lane} crashes at step {step.number} before {told}"
                found += [Reason(sentence, "crash", (step.number,), (event.lane,), placed)] if told else []
    return tuple(found)


def _without(
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    number: int,
    lane: str,
    came: Callable[[Raw], bool],
) -> Path:
    """A continuation from the state before a step, in which the process does not crash, to a state with the missing
    value; () if none is found.
    """
    before, taken = states[number - 1], steps[number - 1]
    same = (s for s in interpreter.steps(before, taken.action.name) if s.arguments == taken.arguments)
    instead = next((s for s in same if s.after is not None and not _crashes(s, lane)), None)
    state, path = before, Path()
    for wanted in [*([instead] if instead else []), *steps[number:]]:
        again = (s for s in interpreter.steps(state, wanted.action.name) if s.arguments == wanted.arguments)
        step = next((s for s in again if s.after is not None and not _crashes(s, lane)), None)
        if step is not None and step.after is not None:
            state, path = step.after, (*path, (state, step))
    return next(_onward(interpreter, state, path, came), ())


def _onward(interpreter: Interpreter, state: Raw, path: Path, came: Callable[[Raw], bool]) -> Iterator[Path]:
    waiting, found = [(state, path)], {state}
    while waiting:
        now, steps = waiting.pop(0)
        if came(now):
            yield steps
        for step in list(interpreter.steps(now)):
            if step.action.fault or step.after is None or step.after in found or len(found) >= MOST_STATES:
                continue
            if not any(event.name == "crash" for event in step.events):
                found.add(step.after)
                waiting.append((step.after, (*steps, (now, step))))


def _crashes(step: Step, lane: str) -> bool:
    return any(event.name == "crash" and value_text(event.arguments[0]) == lane for event in step.events)


def _sent(interpreter: Interpreter, path: Path, lane: str, process: str) -> Iterator[tuple[str, bool]]:
    """The steps of a continuation in which one process sends to another, and whether the statement has a line."""
    for state, step in path:
        for event in step.events:
            if event.name == "send" and tuple(map(value_text, event.arguments[1:3])) == (lane, process):
                call = instance_text(step.action.name, [v for _, v in step.arguments])
                found = decided(interpreter, state, step.after, step, [sends])
                where = cited(found.place if found is not None else None)
                acting = dict(step.arguments).get(step.action.actor or "")
                sender = "" if acting is None or value_text(acting) == lane else f" as {lane}"
                yield f"{call}{where} sends {value_text(event.arguments[3])}{sender} to {process}", bool(where)


def _first_step(interpreter: Interpreter, path: Path, lane: str) -> tuple[str, bool]:
    """The first step that a process takes in a continuation, with its last statement, and whether a line is named; ""
    if it takes none."""
    names = {v.name for v in interpreter.definition.variables if v.network is None}
    for state, step in path:
        if value_text(next((v for _, v in step.arguments), None)) == lane:
            found = decided(interpreter, state, step.after, step, [sends, writes(names), lambda done: True])
            does = f", which {found.text}" if found is not None else ""
            call = instance_text(step.action.name, [v for _, v in step.arguments])
            return f"{call}{does}", found is not None
    return "", False

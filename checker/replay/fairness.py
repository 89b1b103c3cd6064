"""Instances of actions, as fairness sees them, and whether a run breaks a leads-to property.

An instance is an action with its parameters, and for a handler the message it receives.  Other choices inside an action
are not part of it: who is treated fairly cannot demand what is chosen.  A step in the middle of which the acting
process crashes is taken by an instance of its own, which is not fair; so is one that leaves the state as it is, of an
action of which only changes count (@action(fair="change"), WF_vars of TLA+).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.definition import PropertyDefinition
from checker.replay.plain import call_text


@frozen
class Instance:
    """An action with what tells its instances apart."""

    action: str
    arguments: tuple[Any, ...]
    crashed: bool = False
    idle: bool = False

    def __str__(self) -> str:
        return call_text(self.action, self.arguments)


def instance_of(step: Step) -> Instance:
    """A handler names only the fields it uses: the message it receives is told whole by its first event.  Which message
    a fault takes is a choice, and so is whose messages make a quorum."""
    if step.action.kind == "receive" and step.action.quorum is None:
        return Instance(step.action.name, step.events[0].arguments, step.crashed)
    arguments = tuple(v for n, v in step.arguments if n in {p.name for p in step.action.tried})
    return Instance(step.action.name, arguments, step.crashed, step.action.changing and step.idle)


def passed_over(interpreter: Interpreter, states: Sequence[Raw], steps: Iterable[Step]) -> dict[Instance, bool]:
    """The instances, faults aside, that are enabled in all of these states and taken by none of these steps; of each,
    whether it is fair.

    A run that goes round through the states by the steps for ever is weakly fair if none is.
    """
    waiting: dict[Instance, bool] | None = None
    for state in states:
        enabled = {instance_of(s): s.owed for s in interpreter.steps(state) if s.progress and s.after is not None}
        waiting = enabled if waiting is None else {i: owed for i, owed in waiting.items() if i in enabled}
    taken = {instance_of(s) for s in steps}
    return {i: owed for i, owed in (waiting or {}).items() if i not in taken}


def unbroken(
    interpreter: Interpreter,
    property: PropertyDefinition,
    states: Sequence[Raw],
    loop: int | None,
    repeated: Iterable[Step],
) -> str | None:
    """Why a run does not break a leads-to property; None if it does.

    To break it, the run comes to a state with `when` and has no `then` from there on.  It goes back from its last state
    to the one at `loop`, and the steps that are `repeated` are weakly fair; or (loop=None) it stops where no fair
    instance is enabled.
    """
    pending = False
    for state in states:
        then = interpreter.holds(property.function, state, property.owner)
        pending = not then and (
            pending or property.when is None or interpreter.holds(property.when, state, property.owner)
        )
    if not pending:
        return f"{property.name} is not left open at its end"
    if loop is None:
        going = next((s for s in interpreter.steps(states[-1]) if s.owed), None)
        return None if going is None else f"it cannot stop in its last state: {going} is enabled"
    if states[loop] != states[-1] or loop == len(states) - 1:
        return f"it does not come back to the state after step {loop}"
    owed = [i for i, fair in passed_over(interpreter, states[loop:-1], repeated).items() if fair]
    return f"it is not weakly fair: {owed[0]} is enabled all the time and never taken" if owed else None

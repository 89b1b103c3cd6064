"""Instances of actions, as defined for fairness, and whether a run violates a leads-to property.

An instance is an action with its parameters, and for a handler the message that it receives.  Other choices inside an
action are not part of it: fairness guarantees no choice.  A step in the middle of which the acting process crashes
belongs to an instance of its own, which is not fair.  So does a step that leaves the state unchanged, of an action with
@action(fair="change") (WF_vars of TLA+).
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
    """An action with the values that distinguish its instances."""

    action: str
    arguments: tuple[Any, ...]
    crashed: bool = False
    idle: bool = False

    def __str__(self) -> str:
        return call_text(self.action, self.arguments)


def instance_of(step: Step) -> Instance:
    """The instance of a step.  A handler names only the fields that it uses; its first event contains the whole
    message. Which message a fault takes is a choice, and so is the choice of senders of a quorum.
    """
    if step.action.kind == "receive" and step.action.quorum is None:
        return Instance(step.action.name, step.events[0].arguments, step.crashed)
    arguments = tuple(v for n, v in step.arguments if n in {p.name for p in step.action.tried})
    return Instance(step.action.name, arguments, step.crashed, step.action.changing and step.idle)


def passed_over(interpreter: Interpreter, states: Sequence[Raw], steps: Iterable[Step]) -> dict[Instance, bool]:
    """The instances, faults aside, that are enabled in all of these states and taken by none of these steps; for each,
    whether it is fair.

    A run that repeats these states and steps for ever is weakly fair if none of these instances is fair.
    """
    waiting: dict[Instance, bool] | None = None
    for state in states:
        enabled = {
            instance_of(s): s.weakly_fair for s in interpreter.steps(state) if s.progress and s.after is not None
        }
        waiting = enabled if waiting is None else {i: weakly_fair for i, weakly_fair in waiting.items() if i in enabled}
    taken = {instance_of(s) for s in steps}
    return {i: weakly_fair for i, weakly_fair in (waiting or {}).items() if i not in taken}


def unbroken(
    interpreter: Interpreter,
    property: PropertyDefinition,
    states: Sequence[Raw],
    loop: int | None,
    repeated: Iterable[Step],
) -> str | None:
    """Why a run does not violate a leads-to property; None if it does.

    A violating run reaches a state with `when` and has no `then` from there on.  Either it returns from its last state
    to the one at `loop`, and the `repeated` steps are weakly fair; or (loop=None) it ends where no fair instance is
    enabled.
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
        going = next((s for s in interpreter.steps(states[-1]) if s.weakly_fair), None)
        return None if going is None else f"it cannot stop in its last state: {going} is enabled"
    if states[loop] != states[-1] or loop == len(states) - 1:
        return f"it does not come back to the state after step {loop}"
    weakly_fair = [i for i, fair in passed_over(interpreter, states[loop:-1], repeated).items() if fair]
    return f"it is not weakly fair: {weakly_fair[0]} is enabled all the time and never taken" if weakly_fair else None

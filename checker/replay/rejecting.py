"""The step of a run that a repair rejects in its own run of the same steps.

A repair may count something in one rule and test the count in another one: a token carries the number of its moves,
and a process throws an old token away.  In the states of the run nothing is counted, so the test cannot be asked there.
The same steps are therefore taken in the repair, each with the most similar arguments, and the first is named where a
rule of the repair is false that is true in the protocol.

Where it stops: at the first step that the repair does not take.  A repair with other variables is not followed.
"""

from __future__ import annotations

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.model import Model
from checker.language.start import is_start
from checker.replay.edited_rules import Ruling, undoing_rules
from checker.replay.repaired import comparable
from checker.replay.traced import Run


def rejecting(run: Run, repair: type[Model], property: str, first: int) -> tuple[int, Ruling] | None:
    """The number of this step, at or after the first, and the rule as the protocol and as the repair have it; None if
    there is none."""
    other = comparable(repair, run.definition, property)
    if other is None or not is_start(other.model, run.states[0]):
        return None
    state = run.states[0]
    for number, step in enumerate(run.steps, 1):
        taken = _counterpart(other, state, step)
        if taken is None or taken.after is None:
            return None
        found = undoing_rules(other, run.definition.model, state, taken) if number >= first else ()
        ruling = next((r for r in found if (r.edited.plain, r.before.plain) == ("true", "false")), None)
        if ruling is not None:
            return number, ruling
        state = taken.after
    return None


def _counterpart(repair: Interpreter, state: Raw, step: Step) -> Step | None:
    """The step of the repair with the same action and the most similar arguments: the same process, and as many of the
    others as there are."""
    wanted = [value for _, value in step.arguments]
    given = [(found, [v for _, v in found.arguments]) for found in list(repair.steps(state, step.action.name))]
    same = [(found, sum(a == b for a, b in zip(args, wanted))) for found, args in given if args[:1] == wanted[:1]]
    best = max(same, key=lambda pair: pair[1], default=None)
    return None if best is None else best[0]

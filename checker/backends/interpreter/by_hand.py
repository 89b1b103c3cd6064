"""Stepping a model object by hand: which instances are enabled in its state, and taking one.

    >>> from checker.backends.interpreter.by_hand import enabled, take
    >>> isis = Isis(workload=(1, 1))
    >>> for step in enabled(isis): print(step)
    multicast(p1)
    multicast(p2)
    >>> take(isis, "multicast(p1)")
    >>> isis.net
    p1→p1 Data(m1.1), p1→p2 Data(m1.1)

An action can also be called as the method it is (`isis.multicast(p1)`), under a debugger too; a handler called so does
not take its message out of the network.
"""

from __future__ import annotations

from checker.backends.interpreter.interpreter import Interpreter, Step
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.wording import counted


def enabled(model: Model) -> list[Step]:
    """The enabled instances in the model's state, in canonical order.  The state does not change."""
    return list(Interpreter(model.definition).steps(model.raw_state()))


def take(model: Model, step: Step | str) -> None:
    """Put the model into the state the step leads to; a step may be given by its name, `take(isis, "multicast(p1)")`.
    Raises UsageError for a step that fails, or is of another state.
    """
    steps = enabled(model)
    if isinstance(step, str):
        step = _named(step, steps)
    if step not in steps:
        raise UsageError(
            f"{step} is not enabled in this state", remedy=f"Enabled are: {', '.join(map(str, steps)) or 'none'}."
        )
    if step.after is None:
        assert step.failure is not None
        raise UsageError(f"{step} goes wrong: {step.failure.message}", step.failure.file, step.failure.line)
    model.set_raw_state(step.after)


def _named(name: str, steps: list[Step]) -> Step:
    """The one step of this name; without parameters the parentheses may be left out."""
    wanted = "".join(name.split()).removesuffix("()")
    found = [s for s in steps if str(s).replace(" ", "").removesuffix("()") == wanted]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(
            f"{name} has {counted(len(found), 'choice')} here",
            remedy="Take one of enabled(model), which are in the order of the choices.",
        )
    raise UsageError(
        f"{name} is not enabled in this state",
        remedy=f"Enabled are: {', '.join(dict.fromkeys(map(str, steps))) or 'none'}.",
    )

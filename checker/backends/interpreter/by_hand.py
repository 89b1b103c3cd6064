"""Stepping a model object by hand: which instances are enabled in its state, and taking one.

    >>> from checker.backends.interpreter.by_hand import enabled, take
    >>> isis = Isis(workload=(1, 1))
    >>> for step in enabled(isis): print(step)
    multicast(p1)
    multicast(p2)
    >>> take(isis, enabled(isis)[0])
    >>> isis.net
    p1→p1 Data(m1.1), p1→p2 Data(m1.1)

An action can also be called as the method it is (`isis.multicast(p1)`), under a debugger too; a handler called so does not take its message out of the network.
"""

from __future__ import annotations

from checker.backends.interpreter.interpreter import Interpreter, Step
from checker.language.errors import UsageError
from checker.language.model import Model


def enabled(model: Model) -> list[Step]:
    """The enabled instances in the model's state, in canonical order.  The state does not change."""
    return list(Interpreter(model.definition).steps(model.raw_state()))


def take(model: Model, step: Step) -> None:
    """Put the model into the state the step leads to.  UsageError for a step that fails, or is of another state."""
    if step not in enabled(model):
        raise UsageError(f"{step} is not enabled in this state")
    if step.after is None:
        assert step.failure is not None
        raise UsageError(f"{step} goes wrong: {step.failure.message}", step.failure.file, step.failure.line)
    model.set_raw_state(step.after)

"""A verdict does not depend on its explanation.

A run is executed and confirmed before anybody asks why it ends as it does.  If the checker fails while it seeks the
reasons, the confirmed run is shown without them, and its reports say so.  Where it stops: only faults of the checker
are caught, by the kinds of errors that Python raises for them; a model that is wrong as written, a limit, a damaged
file or two engines that differ end the command as before.  CHECKER_DEBUG=1 raises the fault.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from checker.language.errors import debugging
from checker.trace.trace import Trace

FAULTS: tuple[type[Exception], ...] = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


def sought(find: Callable[[], Trace], trace: Trace) -> Trace:
    """What `find` makes of a trace; if the checker fails there, the trace with a sentence that says so."""
    try:
        return find()
    except FAULTS as error:
        if debugging() or isinstance(error, RecursionError):  # what is written is nested too deeply
            raise
        return evolve(trace, unexplained=_missing(error))


def _missing(error: Exception) -> str:
    kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return (
        f"The verdict stands; its reasons are incomplete, by a fault of the checker ({kind}; CHECKER_DEBUG=1 shows it)"
    )

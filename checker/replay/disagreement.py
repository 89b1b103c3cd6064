"""Two engines differ: an internal error, never a verdict.

The interpreter defines the meaning of a model, so a difference from compiled code or from the lowered model is a fault
of the checker.  The message shows both results and the state, and suffices, with the model, to reproduce the
difference.
"""

from __future__ import annotations

import linecache
from typing import Any, ClassVar

from checker.backends.interpreter.interpreter import Raw
from checker.frontend.lower import noted
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.places import file_of
from checker.replay.plain import plain_raw
from checker.trace.values import show


class Disagreement(Exception):
    """The compiled back end and the interpreter differ."""

    remedy: ClassVar[str] = (
        "This is a fault of the checker, not of the model, so there is no verdict. Please report it with this text and "
        "the file of the model. `checker check --engine interpreter` checks the model without compiled code."
    )

    @classmethod
    def of(
        cls,
        definition: Definition,
        what: str,
        *,
        state: Raw | None = None,
        interpreter: Any = None,
        other: Any = None,
        side: str = "compiled code",
    ) -> Disagreement:
        """The full message: the model with its constants, and both results for a state."""
        parts = {
            "model": f"{definition.name} of {file_of(definition.model) or 'an unknown file'}",
            "constants": " ".join(f"{name}={value!r}" for name, value in definition.constants.items()),
            "state": state_text(definition, state) if state is not None else "",
            "interpreter": str(interpreter),
            side: str(other),
        }
        lines = [what, *(f"  {label:<{max(map(len, parts))}}  {text}" for label, text in parts.items() if text)]
        return cls("\n".join(lines))


def refuse_limit(definition: Definition, line: int) -> None:
    """Raise UsageError if an error of compiled code in this line comes from a bound that Python does not have."""
    limit = noted(definition)[0].limits.get(line)
    if limit is not None:
        file, remedy = limit
        raise UsageError(
            "a local holds more here than compiled code has room for",
            remedy=remedy,
            file=file,
            line=line,
            fragment=linecache.getline(file, line).strip(),
        )


def state_text(definition: Definition, state: Raw) -> str:
    """A raw state on one line."""
    return ", ".join(f"{v.name}={show(plain_raw(v.domain, raw))}" for v, raw in zip(definition.variables, state))

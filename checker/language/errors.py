"""What can go wrong while a model is read or executed.

UsageError: the model or the command is wrong as written (exit code 2).  ModelError: an action did something its types forbid, found with
a trace like a violation.  Disabled and Stopped are control flow of the interpreter.
"""

from __future__ import annotations

from attrs import define


@define(str=False)
class UsageError(Exception):
    """One clear message: what is wrong, where, what to do."""

    message: str
    file: str | None = None
    line: int | None = None
    remedy: str | None = None

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        return f"{where}{self.message}" + (f"\n  {self.remedy}" if self.remedy else "")


class ModelError(Exception):
    """The model left its types: out of range, none used as a value, an absent item removed, a sequence too long."""


class Disabled(Exception):
    """A `require` did not hold, or there was nothing to choose: this instance of the action is not enabled."""


class Stopped(Exception):
    """The step ends here: the acting process crashed inside it."""

"""Errors while a model is read or executed.

UsageError: the model or the command is wrong as written (exit code 2); Undecided: a limit left no answer (4).
ModelError: an action violated its types, reported with a trace like a violation.  Disabled and Stopped are control flow
of the interpreter.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from typing import ClassVar

from attrs import define, field

from checker.wording import Advice, question


def shown(file: str | None) -> str | None:
    """A path as messages show it: relative to the working directory if it is below."""
    if file is None or not os.path.isabs(file):
        return file
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):  # the working directory is gone, or on another drive
        return file
    return file if relative.startswith("..") else relative


def meant(name: str, known: Iterable[str]) -> str:
    """The advice for an unknown name: the nearest existing name, as a question; else all existing names."""
    return near(name, known) or has(known)


def near(name: str, known: Iterable[str], cutoff: float = 0.6) -> Advice:
    """The nearest existing name, as a question; empty if no name is near."""
    return question(difflib.get_close_matches(name, list(known), 1, cutoff))


def has(known: Iterable[str]) -> str:
    """The existing names, as a sentence."""
    return f"It has: {', '.join(known) or 'none'}."


@define(str=False, slots=False)
class UsageError(Exception):
    """One message: what is wrong, where (with the text at that place), what to do."""

    message: str
    file: str | None = field(default=None, converter=shown)
    line: int | None = None
    remedy: str | None = None
    fragment: str = ""
    exit_code: ClassVar[int] = 2

    @property
    def first_line(self) -> str:
        """What is wrong, and where."""
        where = f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        return f"{where}{self.message}"

    def __str__(self) -> str:
        text = self.first_line
        if self.fragment:
            text += f"\n    {self.fragment}"
        return text + (f"\n  {self.remedy}" if self.remedy else "")


def too_deep() -> UsageError:
    """The error for a RecursionError while Python read or evaluated the user's text."""
    remedy = "Name parts of it, and write it with fewer brackets."
    return UsageError("what is to be read is nested too deeply", remedy=remedy)


class Undecided(UsageError):
    """A limit ended the search, and the question needs all of it."""

    exit_code: ClassVar[int] = 4


def too_little_memory(kept: str = "") -> Undecided:
    """The error for a MemoryError.  kept: how to go on with what was found until then."""
    what = "there is not enough memory for this, or less is allowed (ulimit -v, a control group)"
    remedy = f"Finished levels are kept. With more memory, or with --max-memory: {kept}." if kept else ""
    return Undecided(what, remedy=remedy or "Lower the constants, or allow more.")


class ModelError(Exception):
    """The model violated its types: out of range, None used as a value, an absent item removed, a sequence too long.

    The message contains the values; `name` is the same for all values, and is the name of the error in every engine.
    """

    def __init__(self, message: str, name: str = "") -> None:
        super().__init__(message)
        self.name = name or message


class Disabled(Exception):
    """A `require` was false, or a choice had no element: this instance of the action is not enabled."""

    def __str__(self) -> str:
        return "not enabled here: a require does not hold, or there is nothing to choose"


class Stopped(Exception):
    """The step ends here: the acting process crashed inside it."""


def debugging() -> bool:
    """Whether internal errors are raised unchanged, to find their cause."""
    return os.environ.get("CHECKER_DEBUG") == "1"


def internal_error(error: BaseException) -> UsageError:
    """The message of an error that is a fault of the checker."""
    remedy = getattr(error, "remedy", "This is a fault of the checker. CHECKER_DEBUG=1 shows where.")
    return UsageError(f"internal error: {type(error).__name__}: {error}", remedy=remedy)

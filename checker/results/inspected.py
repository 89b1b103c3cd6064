"""What is in a work directory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.results.exit_codes import HOLDS, USAGE


@frozen
class Inspected:
    """A stored search: what it is about, how far it has come, whether its files are what was written, and which files
    nothing needs.

    found: what has shown so far; complete: every state is expanded; tables: those for queries are there and whole;
    damaged: a message for each file that is not what was written; left_over: paths below the directory; removed:
    whether those were removed.
    """

    directory: str
    model: str
    constants: Mapping[str, Any]
    levels: int
    states: int
    transitions: int
    quiescent: int
    found: tuple[str, ...]
    complete: bool
    tables: bool
    damaged: tuple[str, ...]
    left_over: tuple[str, ...]
    removed: bool

    @property
    def exit_code(self) -> int:
        """0 whole, 2 damaged."""
        return USAGE if self.damaged else HOLDS

"""The contents of a work directory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from checker.results.exit_codes import HOLDS, USAGE


@frozen
class Inspected:
    """A stored search: its model, how far it has explored, whether its files are undamaged, and which files nothing
    needs.

    found: findings so far; complete: every state is expanded; tables: those for queries exist and are complete;
    damaged: a message for each damaged file; left_over: paths below the directory; removed: whether those were removed.
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

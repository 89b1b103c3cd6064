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

    command: that made it (check: or outcomes); found: findings so far; complete: all states are expanded; ended: none
    is left to expand, because it is complete or a violation has ended it; reduced: it leaves states out; tables: those
    for queries exist and are complete; damaged: a message for each damaged file; left_over: paths below the directory;
    removed: whether those were removed; below: the searches in folders of the directory, as the one that shows the
    violation of a reduced search.
    """

    directory: str
    model: str
    constants: Mapping[str, Any]
    command: str
    levels: int
    states: int
    transitions: int
    quiescent: int
    found: tuple[str, ...]
    complete: bool
    ended: bool
    reduced: bool
    tables: bool
    damaged: tuple[str, ...]
    left_over: tuple[str, ...]
    removed: bool
    below: tuple[Inspected, ...] = ()

    @property
    def can_be_queried(self) -> bool:
        """Whether tables can be made of it: those of a search of all states, for the model's own properties."""
        return self.command == "check" and not self.reduced

    @property
    def exit_code(self) -> int:
        """0 whole, 2 damaged, here or in a search below."""
        return USAGE if self.damaged or any(found.exit_code == USAGE for found in self.below) else HOLDS

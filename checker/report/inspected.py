"""What is in a work directory, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.report.data import as_data, versioned
from checker.report.lines import Line, line
from checker.report.wording import constants_text
from checker.results.inspected import Inspected
from checker.wording import counted


def inspected_lines(found: Inspected) -> Iterator[Line]:
    """The search, then damage and leftovers; the same of each search below."""
    yield (found.model, "bold"), (f"  {constants_text(found.constants)}", "")
    states = f"{counted(found.states, 'state')}{' of a reduced graph' if found.reduced else ''}"
    counts = f"{states}, {counted(found.transitions, 'transition')}; {found.quiescent:,} quiescent"
    yield line(f"  search     {counts}; {counted(found.levels, 'level')}; {_how_far(found)}")
    if found.command != "check":
        yield line(f"  made by    checker {found.command}")
    for what in found.found:
        yield line(f"  found      {what}")
    if found.can_be_queried:
        yield line(f"  tables     {'there, for checker query' if found.tables else 'none; checker query makes them'}")
    for path in found.left_over:
        yield line(f"  left over  {path}")
    if found.left_over:
        hint = "removed" if found.removed else "what no search that is going on needs is removed by --clean"
        yield line(f"  {len(found.left_over):,} left over: {hint}", "yellow")
    for message in found.damaged:
        yield ("  damaged    ", "bold red"), (message, "")
    verdict = ("DAMAGED", "bold red") if found.damaged else ("WHOLE", "green")
    yield verdict, (f"  {found.directory}", "")
    for below in found.below:
        yield line("")
        yield from inspected_lines(below)


def _how_far(found: Inspected) -> str:
    if found.complete:
        return "everything is explored"
    if found.ended:
        return "a violation has ended it"
    return "it can be resumed" if found.command == "check" else "the command that made it resumes it"


def inspected_data(found: Inspected) -> dict[str, Any]:
    """The same as data."""
    search = "directory model constants command levels states transitions quiescent found complete"
    data: dict[str, Any] = as_data(found, f"{search} ended reduced tables damaged left_over removed exit_code")
    return data | {"below": [versioned(inspected_data(below)) for below in found.below]}

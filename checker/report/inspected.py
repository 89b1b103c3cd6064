"""What is in a work directory, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.report.wording import constants_text
from checker.results.inspected import Inspected
from checker.wording import counted


def inspected_lines(found: Inspected) -> Iterator[Line]:
    """The search, then damage and leftovers."""
    yield (found.model, "bold"), (f"  {constants_text(found.constants)}", "")
    how_far = "everything is explored" if found.complete else "it can be resumed"
    counts = f"{counted(found.states, 'state')}, {counted(found.transitions, 'transition')}"
    yield line(f"  search     {counts}; {found.quiescent:,} quiescent; {counted(found.levels, 'level')}; {how_far}")
    for what in found.found:
        yield line(f"  found      {what}")
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


def inspected_data(found: Inspected) -> dict[str, Any]:
    """The same as data."""
    search = "directory model constants levels states transitions quiescent found complete"
    return as_data(found, f"{search} tables damaged left_over removed exit_code")  # type: ignore[no-any-return]

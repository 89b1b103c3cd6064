"""The models, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from checker.language.constants import written
from checker.language.errors import UsageError
from checker.report.data import as_data, error_data
from checker.report.lines import Line, line
from checker.results.listing import ModelListing


def listing_lines(models: Sequence[ModelListing], problems: Sequence[UsageError], detailed: bool) -> Iterator[Line]:
    """The models with their edits, and the files that could not be read."""
    for model in models:
        yield (model.reference, "bold"), (f"  {model.summary}", "")
        yield from _details(model) if detailed else _overview(model)
        for edit in model.edits:
            kind = f"  {'edit' if edit.edit_of else 'model':<12}"
            yield (kind, ""), (edit.reference, "bold"), (f"  {edit.summary.removeprefix('EDIT:').strip()}", "")
    for problem in problems:
        yield ("not readable ", "bold red"), (str(problem), "")


def _details(model: ModelListing) -> Iterator[Line]:
    yield line(f"  file        {model.file}")
    for c in model.constants:
        choices = f" (one of {', '.join(map(written, c.choices))})" if c.choices else ""
        yield line(f"  constant    {c.name}={written(c.default)}  {c.meaning}{choices}")
    for p in model.properties:
        yield line(f"  property    {p.name}  ({p.kind})")


def _overview(model: ModelListing) -> Iterator[Line]:
    yield line("  constants   " + (" ".join(f"{c.name}={written(c.default)}" for c in model.constants) or "none"))
    yield line("  properties  " + (", ".join(p.name for p in model.properties) or "none"))


def listing_data(models: Sequence[ModelListing], problems: Sequence[UsageError]) -> dict[str, Any]:
    """The listing as data."""
    return {"models": [as_data(m) for m in models], "problems": [error_data(p)["error"] for p in problems]}

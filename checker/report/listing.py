"""The models, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from checker.language.constants import written
from checker.language.errors import UsageError
from checker.report.data import as_data, error_data
from checker.report.lines import Line, line
from checker.results.listing import ModelListing
from checker.wording import counted


def listing_lines(models: Sequence[ModelListing], problems: Sequence[UsageError], detailed: bool) -> Iterator[Line]:
    """The models, and the files that could not be read.  detailed: with edits, constants and properties; otherwise each
    model is one line.
    """
    width = max((len(m.reference) for m in models), default=0)
    for model in models:
        edits = f"  {counted(len(model.edits), 'edit')}" if model.edits and not detailed else ""
        name = model.reference if detailed else f"{model.reference:{width}}"
        yield (name, "bold"), (f"  {model.summary}", ""), (edits, "dim")
        if not detailed:
            continue
        yield from _details(model)
        for edit in model.edits:
            kind = f"  {'edit' if edit.edit_of else 'model':<12}"
            yield (kind, ""), (edit.reference, "bold"), (f"  {edit.summary.removeprefix('EDIT:').strip()}", "")
    for problem in problems:
        yield ("not readable ", "bold red"), (str(problem), "")
    if models and not detailed:
        yield line(f"checker list {models[0].reference} shows its edits, constants and properties", "dim")


def _details(model: ModelListing) -> Iterator[Line]:
    yield line(f"  file        {model.file}")
    yield line(f"  class       {model.name}")
    for c in model.constants:
        choices = f" (one of {', '.join(map(written, c.choices))})" if c.choices else ""
        yield line(f"  constant    {c.name}={written(c.default)}  {c.meaning}{choices}")
    for p in model.properties:
        yield line(f"  property    {p.name}  ({p.kind})")


def listing_data(models: Sequence[ModelListing], problems: Sequence[UsageError]) -> dict[str, Any]:
    """The listing as data."""
    return {"models": [as_data(m) for m in models], "problems": [error_data(p)["error"] for p in problems]}

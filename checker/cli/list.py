"""`checker list`: the models, with their edits, constants and properties."""

from __future__ import annotations

from checker.analysis.listing import listing
from checker.catalogue import family, file_named
from checker.cli import settings
from checker.cli.misspelt import warn_first
from checker.cli.output import Output
from checker.report.listing import listing_data, listing_lines
from checker.results.exit_codes import HOLDS, USAGE


def list(names: tuple[str, ...], with_shipped: bool, json_file: str | None) -> int:
    own = () if names else settings.models(file_named)
    (models, problems), output = listing(names, own, with_shipped), Output(json_file)
    warn_first((entry.cls for name in names for entry in family(name)), output)
    output.print(listing_lines(models, problems, detailed=bool(names)))
    output.write(lambda: listing_data(models, problems))
    return USAGE if problems else HOLDS

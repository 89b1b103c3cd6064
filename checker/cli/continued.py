"""Commands that resume from their own work directory when they are repeated: `find`, `outcomes` and `latency`.

Only these commands import this module: it loads the code that reads a work directory, which `check` without one never
needs.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from checker.cli.searching import placement
from checker.engines.placement import Placement
from checker.language.errors import UsageError
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError

AGAIN = "give the same command again"


def placement_again(options: dict[str, Any]) -> Placement:
    """Where a search runs and stores its levels; it is resumed if its work directory holds a search."""
    workdir = options["workdir"]
    if workdir is None:
        return placement(options, None)
    try:
        resume = WorkDirectory.holds_search(workdir)
    except StoredFileError as error:
        raise UsageError(str(error)) from None
    return evolve(placement(options, workdir, resume), again=AGAIN)

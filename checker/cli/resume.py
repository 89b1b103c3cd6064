"""`checker resume`: a search that was stopped goes on."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.checking import asking, searched, tell
from checker.cli.options import KEEPING, json_option, out_option, search_options, spark_options, trust_option
from checker.cli.output import Output
from checker.cli.reports import report_directory
from checker.cli.searching import limits, placement
from checker.engines.committed import stored_search


@click.command()
@click.argument("workdir", metavar="WORKDIR")
@search_options(KEEPING, constants=False)
@spark_options
@asking
@out_option("Write reports of each violation: text, diagram, ITF.")
@trust_option
@json_option
def resume(workdir: str, **options: Any) -> int:
    """Go on with a search that was stopped, from its last finished level, on any engine.

    WORKDIR is what --workdir named. The model must not have changed since.
    """
    directory, output, stored = report_directory(options["out"]), Output(options["json_file"]), stored_search(workdir)
    report = searched(
        stored.entry,
        stored.constants,
        options,
        only=stored.only,
        limits=limits(options),
        stop_at_first=stored.stop_at_first,
        placement=placement(options, workdir, resume=True),
    )
    tell(report, directory.write(report), output)
    return output.finish()

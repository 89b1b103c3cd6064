"""`checker find`: a shortest run to a state that satisfies a predicate."""

from __future__ import annotations

from typing import Any

import click

from checker.analysis.find import find_state
from checker.cli.arguments import constants_of_options
from checker.cli.options import json_option, out_option, search_options
from checker.cli.output import Output
from checker.cli.reports import report_directory, told
from checker.cli.searching import limits, progress, read
from checker.report.found import search_data, search_lines


@click.command()
@click.argument("name", metavar="MODEL")
@click.argument("predicate")
@search_options()
@click.option("--at-end", is_flag=True, help="Only states in which nothing but faults is enabled.")
@out_option("Write reports of the run.")
@json_option
def find(name: str, predicate: str, at_end: bool, out: str | None, json_file: str | None, **options: Any) -> int:
    """Find a shortest run to a state that satisfies PREDICATE, for example 'any(len(delivered[p]) == 2 for p in
    Process)'.

    Exit code 0: found; 1: no reachable state satisfies it; 4: the search was stopped before that was decided.
    """
    given = limits(options).begun()
    (entry,), directory = read([name], given), report_directory(out)
    with progress(json_file) as shown:
        found = find_state(
            entry.cls,
            entry.reference,
            predicate,
            constants_of_options(options["constants"]),
            at_end=at_end,
            engine=options["engine"],
            threads=options["threads"],
            limits=given,
            progress=shown,
        )
    return told(found, search_lines, search_data, directory, Output(json_file))

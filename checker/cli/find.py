"""`checker find`: a shortest run to a state that satisfies a predicate."""

from __future__ import annotations

from typing import Any

from checker.analysis.find import find_state
from checker.cli.arguments import constants_of_options
from checker.cli.continued import placement_again
from checker.cli.first_class import name_first_class
from checker.cli.misspelt import warn_first
from checker.cli.output import Output, report_directory, told
from checker.cli.searching import limits, progress, read
from checker.report.found import search_data, search_lines
from checker.results.exit_codes import worst


def find(name: str, predicate: str, at_end: bool, out: str | None, json_file: str | None, **options: Any) -> int:
    given = limits(options).begun()
    (entry,), directory = read([name], given), report_directory(out)
    output = Output(json_file)
    code = warn_first([entry.cls], output)
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
            reduce=options["reduce"],
            placement=placement_again(options),
        )
    name_first_class(name, entry, output, "searched")
    return worst((code, told(found, search_lines, search_data, directory, output)))

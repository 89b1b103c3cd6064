"""`checker simulate`: random runs, where there are too many states to explore."""

from __future__ import annotations

from typing import Any

from checker.analysis.simulate import simulation
from checker.cli.arguments import constants_of_options, names_of_options
from checker.cli.first_class import name_first_class
from checker.cli.misspelt import warn_first
from checker.cli.output import Output, report_directory, told
from checker.cli.searching import read
from checker.report.found import simulation_data, simulation_lines
from checker.results.exit_codes import worst
from checker.search.limits import Limits


def simulate(name: str, out: str | None, json_file: str | None, **options: Any) -> int:
    given = Limits(max_seconds=options["max_seconds"]).begun()
    (entry,), directory = read([name], given), report_directory(out)
    output = Output(json_file)
    code = warn_first([entry.cls], output)
    found = simulation(
        entry.cls,
        entry.reference,
        constants_of_options(options["constants"]),
        only=names_of_options(options["properties"]),
        runs=options["runs"],
        depth=options["steps"],
        seed=options["seed"],
        limits=given,
    )
    name_first_class(name, entry, output, "simulated")
    return worst((code, told(found, simulation_lines, simulation_data, directory, output)))

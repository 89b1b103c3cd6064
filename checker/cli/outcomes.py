"""`checker outcomes`: the outcomes of a protocol, the values of its outcome variables in quiescent states."""

from __future__ import annotations

from typing import Any

from checker.analysis.check import confirmed_outcomes
from checker.cli.arguments import constants_of_options
from checker.cli.continued import placement_again
from checker.cli.first_class import name_first_class
from checker.cli.misspelt import warn_first
from checker.cli.output import Output
from checker.cli.searching import limits, progress, read
from checker.report.found import outcome_data, outcome_lines


def outcomes(name: str, json_file: str | None, **options: Any) -> int:
    given = limits(options).begun()
    (entry,) = read([name], given)
    output = Output(json_file)
    code = warn_first([entry.cls], output)
    with progress(json_file) as told:
        found, validation = confirmed_outcomes(
            entry.cls,
            constants_of_options(options["constants"]),
            entry.reference,
            engine=options["engine"],
            threads=options["threads"],
            limits=given,
            progress=told,
            reduce=options["reduce"],
            placement=placement_again(options),
        )
    name_first_class(name, entry, output, "asked")
    output.print(outcome_lines(entry.reference, found, validation, options["reduce"]))
    output.write(lambda: outcome_data(entry.reference, found, validation, options["reduce"]))
    return code

"""`checker prove`: invariants for runs of every length."""

from __future__ import annotations

from typing import Any

from checker.analysis.prove.prove import prove as run_prove
from checker.cli.arguments import constants_of_options, names_of_options
from checker.cli.first_class import name_first_class
from checker.cli.misspelt import warn_first
from checker.cli.options import said
from checker.cli.output import Output, report_directory, told
from checker.cli.searching import read
from checker.report.proof import data, lines
from checker.results.exit_codes import worst
from checker.search.limits import Limits


def prove(name: str, json_file: str | None, out: str | None, **options: Any) -> int:
    (entry,) = read([name], Limits(max_seconds=options["timeout"]))
    directory, output = report_directory(out), Output(json_file)
    code = warn_first([entry.cls], output)
    proof = run_prove(
        entry.cls,
        entry.reference,
        constants_of_options(options["constants"]),
        properties=names_of_options(options["properties"]),
        using=names_of_options(options["assuming"]) or (),
        depth=options["depth"],
        induction=not options["bounded"],
        network=options["network"],
        timeout=options["timeout"],
        vacuity=options["vacuity"],
        progress=said(json_file),
    )
    name_first_class(name, entry, output, "proved")
    return worst((code, told(proof, lines, data, directory, output)))

"""`checker latency`: delays and messages over all runs."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from checker.analysis.latency.survey import survey
from checker.cli.arguments import constants_of_options
from checker.cli.continued import AGAIN
from checker.cli.first_class import name_first_class
from checker.cli.misspelt import warn_first
from checker.cli.output import Output, report_directory
from checker.cli.searching import limits, placement, progress, read
from checker.report.latency import data, lines, markdown_text
from checker.report.written import writable, write_file
from checker.results.exit_codes import worst


def latency(name: str, markdown: str | None, until: str, out: str | None, **options: Any) -> int:
    if markdown is not None:
        writable(markdown, "--markdown")
    given = limits(options).begun()
    (entry,), directory, output = read([name], given), report_directory(out), Output(options["json_file"])
    code = warn_first([entry.cls], output)
    with progress(options["json_file"]) as shown:
        found = survey(
            entry.cls,
            entry.reference,
            constants_of_options(options["constants"]),
            until=until,
            engine=options["engine"],
            threads=options["threads"],
            limits=given,
            progress=shown,
            slowest=out is not None,
            placement=evolve(placement(options, options["workdir"]), again=AGAIN),
        )
    name_first_class(name, entry, output, "measured")
    output.print(lines(found))
    if markdown is not None:
        write_file(markdown, markdown_text(found), "--markdown")
        output.line(f"  wrote {markdown}")
    output.write(lambda: data(found))
    for file in directory.write_trace(found.slowest) if found.slowest is not None else []:
        output.line(f"  wrote {file}")
    return worst((code, found.exit_code))

"""`checker sweep`: one model over many combinations of constants."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from checker.analysis.sweep.choices import choices_of, left_out_of
from checker.analysis.sweep.on_spark import on_spark
from checker.analysis.sweep.sweep import sweep as run_sweep
from checker.analysis.workers import interrupted_once
from checker.cli.arguments import names_of_options
from checker.cli.output import Output
from checker.cli.searching import limits, progress, read, so_far
from checker.engines.registry import declared
from checker.replay.base import base_of
from checker.report.sweep import data, lines, markdown_text
from checker.report.written import writable, write_file


def sweep(name: str, varied: tuple[str, ...], jobs: int, brief: bool, markdown: str | None, **options: Any) -> int:
    if markdown is not None:
        writable(markdown, "--markdown")
    output = Output(options["json_file"])
    (entry,) = read([name], limits(options))
    elsewhere = on_spark(options["master"]) if declared(options["engine"]).distributed else None
    with interrupted_once():
        with progress(options["json_file"]) as shown:
            found = run_sweep(
                name,
                choices_of(varied),
                only=names_of_options(options["properties"]),
                engine=options["engine"],
                limits=limits(options),
                stop_at_first=not options["everything"],
                strict=options["strict"],
                implied=options["implied"],
                reduce=options["reduce"],
                jobs=jobs,
                announce=lambda *running: shown.say(so_far("configurations", *running)),
                search=elsewhere,
            )
        found = evolve(found, edit=base_of(entry.cls) is not None, left_out=left_out_of(varied))
        output.print(lines(found, brief))
        if markdown is not None:
            write_file(markdown, markdown_text(found), "--markdown")
            output.line(f"  wrote {markdown}")
        output.write(lambda: data(found))
        return found.exit_code

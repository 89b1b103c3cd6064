"""`checker check`: every reachable state of models, and each property."""

from __future__ import annotations

from typing import Any

import click

from checker.cli.arguments import constants_of_options, names_of_options
from checker.cli.checking import require_few_questions, searched, tell
from checker.cli.failed import write_not_finished
from checker.cli.first_class import name_first_class
from checker.cli.output import Output, report_directory
from checker.cli.searching import limits, placement, read
from checker.engines.explored import Phases
from checker.engines.registry import ENGINES
from checker.language.define import define
from checker.language.errors import UsageError
from checker.replay.base import base_of
from checker.report.commands import compare_command
from checker.report.suites import BuildFiles, suite_of_check


def check(names: tuple[str, ...], **options: Any) -> int:
    directory, suites = report_directory(options["out"]), []
    build = BuildFiles.of(options)
    alone = limits(options).begun() if len(names) == 1 else limits(options)
    phases = [Phases() for _ in names]
    silent = build.printed(options["json_file"])
    write_not_finished(click.get_current_context().obj or {})
    entries = read(names, alone, phases)
    if options["workdir"] is not None and len(entries) > 1:
        raise UsageError(
            "--workdir keeps one search, and several models are named",
            remedy="Check one of them, or give each a work directory of its own.",
        )
    if options["keep_graph"] and options["workdir"] is None:
        raise UsageError("--keep-graph needs a place to keep it", remedy="Add --workdir DIR.")
    if options["keep_graph"]:
        from checker.analysis.graph.kept import require_writer

        require_writer()
    if options["reduce"]:
        require_few_questions(options)
    constants = constants_of_options(options["constants"])
    only = names_of_options(options["properties"])
    if len(entries) > 1:  # no long search before a mistake in a later model is reported
        for entry in entries:
            define(entry.cls, constants, only)
    output, place = Output(options["json_file"], silent), placement(options, options["workdir"])
    for name, entry, timed in zip(names, entries, phases):
        report = searched(
            entry,
            constants,
            options,
            output,
            phases=timed,
            only=only,
            limits=alone,
            stop_at_first=not options["everything"],
            placement=place,
            reduce=options["reduce"],
            group=options["group"],
        )
        if options["keep_graph"]:
            from checker.analysis.graph.query import keep

            keep(options["workdir"], options["master"] if ENGINES[options["engine"]].distributed else None)
        if options["watched"] is not None:
            from checker.cli.watched import since_the_last_save

            report = since_the_last_save(report, entry, options["watched"])
        files = directory.write(report)
        name_first_class(name, entry, output, "checked")
        compared = None if base_of(entry.cls) is None else compare_command(entry.reference, constants)
        tell(report, files, output, place, compared)
        suites += [suite_of_check(report, entry.cls, files)] if build.wanted else []
    build.write(suites)
    return output.finish()

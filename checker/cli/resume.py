"""`checker resume`: a search that was stopped goes on."""

from __future__ import annotations

from typing import Any

from checker.cli.checking import require_few_questions, searched, tell
from checker.cli.output import Output, report_directory
from checker.cli.searching import limits, placement
from checker.engines.committed import stored_search


def resume(workdir: str, **options: Any) -> int:
    directory, output, stored = report_directory(options["out"]), Output(options["json_file"]), stored_search(workdir)
    if stored.reduced:
        require_few_questions(options, workdir)
    place = placement(options, workdir, resume=True)
    report = searched(
        stored.entry,
        stored.constants,
        options,
        output,
        only=stored.only,
        limits=limits(options),
        stop_at_first=stored.stop_at_first,
        placement=place,
        reduce=stored.reduced,
    )
    tell(report, directory.write(report), output, place)
    return output.finish()

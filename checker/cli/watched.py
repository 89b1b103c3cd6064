"""The folder in which `checker watch` and its checks, which are separate processes, keep the version last checked.

NOW has the files of the model as the check read them.  NOTES has the parts that differ from FORMER, the files of the
check before, and whether the search was complete.  The watching process makes NOW to FORMER when the check has ended
without a save in between.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from checker.analysis.last_save import keep, parts_since, with_cause_since
from checker.catalogue import Entry
from checker.results.checked import Report
from checker.results.verdict import Verdict

FORMER, NOW, NOTES = "former", "now", "notes.json"


def since_the_last_save(report: Report, entry: Entry, folder: Path) -> Report:
    """The report of a check with the CAUSE of violations in the last save; keeps the files, and what has changed."""
    keep(entry, folder / NOW)
    parts = parts_since(entry, folder / FORMER) if (folder / FORMER).is_dir() else None
    told = {"parts": None if parts is None else [part.told for part in parts], "complete": report.complete}
    (folder / NOTES).write_text(json.dumps(told), encoding="utf-8")
    return with_cause_since(report, entry, folder / FORMER) if parts and report.verdict is Verdict.VIOLATED else report


def begin(folder: Path) -> None:
    """Forget what a check that did not end has kept."""
    shutil.rmtree(folder / NOW, ignore_errors=True)
    (folder / NOTES).unlink(missing_ok=True)


def told_by(folder: Path) -> tuple[tuple[str, ...] | None, bool]:
    """What has changed since the check before, in words, None if nobody knows; and whether the search was complete."""
    if not (folder / NOTES).is_file():
        return None, True
    told = json.loads((folder / NOTES).read_text(encoding="utf-8"))
    return None if told["parts"] is None else tuple(told["parts"]), told["complete"]


def end(folder: Path) -> None:
    """The files of the check that has ended are those of the last save."""
    if (folder / NOW).is_dir():
        shutil.rmtree(folder / FORMER, ignore_errors=True)
        (folder / NOW).rename(folder / FORMER)

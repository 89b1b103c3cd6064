"""Writing every report of a trace into a directory, the trace itself first.

`trace.itf.json` is the source; each other file can be made from it again by `read_trace` and `write_reports`. A
`dot` program that is missing, fails or hangs costs the picture only: its text is there to be drawn elsewhere.
"""

from __future__ import annotations

import logging
from pathlib import Path

from checker.report.dot import NotDrawn, render
from checker.report.html import html_report
from checker.report.markdown import markdown_summary
from checker.report.space_time import space_time
from checker.report.text import text_report
from checker.report.wording import TRACE_FILE
from checker.results.explained import Background
from checker.stored.whole import write_where_named
from checker.trace.itf import write_trace
from checker.trace.trace import Trace

log = logging.getLogger(__name__)


def write_reports(trace: Trace, directory: Path | str, background: Background = Background()) -> list[Path]:
    """Write trace.itf.json, trace.txt, trace.dot, trace.md, trace.svg and trace.html; return the written paths.

    The directory is created if need be. `background` is information from the model for the page. Without the `dot`
    program the picture is left out with a warning in the log.
    """
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    # the path of a model of one's own counts from where the checker was called, and so must that of the trace
    file = str(directory / TRACE_FILE) if ".py" in trace.reference else TRACE_FILE
    file = file.encode("utf-8", "replace").decode()  # a name of a folder need not be text
    diagram = space_time(trace, file)
    texts = {"trace.txt": text_report(trace, file), "trace.dot": diagram, "trace.md": markdown_summary(trace, file)}
    paths = [write_trace(trace, directory / TRACE_FILE)]
    paths += [_write(directory / name, text) for name, text in texts.items()]
    picture: str | None = None
    try:
        picture = render(diagram).decode("utf-8")
        paths.append(_write(directory / "trace.svg", picture))
    except NotDrawn as missing:
        log.warning("%s", missing)
    return [*paths, _write(directory / "trace.html", html_report(trace, picture, background, file))]


def _write(path: Path, text: str) -> Path:
    write_where_named(path, text)
    return path

"""Results in a notebook: a table of verdicts with the diagram of the first violation, a trace as its diagram.
Where Graphviz is missing, a diagram is the text of the trace."""

from __future__ import annotations

from html import escape

from checker.displayed import table
from checker.report.dot import NotDrawn, render
from checker.report.html import inline
from checker.report.lines import STYLES
from checker.report.space_time import space_time
from checker.report.text import text_report
from checker.results.checked import Report
from checker.trace.trace import Trace
from checker.wording import counted

COLORS = {"green": "#2e7d32", "bold red": "#c62828"}
"""The colours of verdicts, by their styles; other verdicts are undecided."""


def trace_svg(trace: Trace) -> str | None:
    """The diagram of a trace; None without Graphviz."""
    try:
        return inline(render(space_time(trace, None)).decode("utf-8"))
    except NotDrawn:
        return None


def trace_html(trace: Trace) -> str:
    """The diagram of a trace, else its text."""
    return trace_svg(trace) or f"<pre>{escape(text_report(trace, None))}</pre>"


def report_html(report: Report) -> str:
    """The verdicts of a check, and the first run that violates something."""
    rows = [(p.name, p.kind, p.verdict, "" if p.steps is None else counted(p.steps, "step")) for p in report.properties]
    violated = next((p.trace for p in report.properties if p.trace is not None and p.verdict.refuted), None)
    head = (
        f"<p><b>{escape(report.reference)}</b>: {_colored(report.verdict)}; {counted(report.distinct, 'state')}, "
        f"{counted(report.transitions, 'transition')}</p>"
    )
    cells = [[_colored(cell) for cell in row] for row in rows]
    return head + table(("property", "kind", "verdict", ""), cells) + ("" if violated is None else trace_html(violated))


def _colored(text: str) -> str:
    color = COLORS.get(STYLES.get(text, ""))
    return escape(text) if color is None else f'<span style="color: {color}">{escape(text)}</span>'

"""Reports: a trace as text, as a space-time diagram, and as files."""

from checker.report.dot import DotMissing
from checker.report.html import html_report
from checker.report.markdown import markdown_summary
from checker.report.mermaid import mermaid
from checker.report.space_time import space_time
from checker.report.text import print_report, text_report
from checker.report.write import write_reports
from checker.trace.itf import read_trace

__all__ = [
    "DotMissing", "html_report", "markdown_summary", "mermaid", "print_report", "read_trace", "space_time",
    "text_report", "write_reports",
]  # fmt: skip

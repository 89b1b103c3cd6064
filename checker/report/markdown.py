"""The trace as a Markdown summary: for a pull request, a build's summary page, the gallery of counterexamples.

The summary holds the sentence a reviewer needs first, the contradicting values, the sequence diagram that Markdown
hosts render themselves, and the whole text report folded away.
"""

from __future__ import annotations

import re

from checker.report.mermaid import mermaid
from checker.report.text import text_report
from checker.report.wording import TRACE_FILE, caption, shared_at_end, title, witness
from checker.trace.trace import Trace
from checker.trace.values import show


def markdown_summary(
    trace: Trace, picture: str | None = None, file: str | None = TRACE_FILE, steps: bool = True
) -> str:
    """The summary as Markdown; `picture` is the address of a diagram to show instead of the sequence diagram, `file`
    where the trace is stored (None: it is not).

    Without `steps` it says that the text report is left out.
    """
    parts = [f"### {escape(title(trace))}"]
    if witness(trace):
        parts.append(escape(witness(trace)))
    parts.append("\n".join(f"- {what}: {_code(text)}" for what, text in caption(trace, file)))
    if trace.final_values or shared_at_end(trace):
        parts.append(_end_table(trace))
    parts.append(f"![space-time diagram]({picture})" if picture else f"```mermaid\n{mermaid(trace)}```")
    if steps:
        fence = "`" * 4
        report = f"{fence}text\n{text_report(trace, file)}{fence}"
        parts.append(f"<details><summary>Step by step</summary>\n\n{report}\n\n</details>")
    else:
        parts.append("The steps one by one are left out here, for length.")
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """A text in which no sign is Markdown or HTML."""
    for sign in "\\`*_[]<>#|&":
        text = text.replace(sign, f"\\{sign}")
    return text


def _code(text: str) -> str:
    """A text as code.  A sign ` in it takes longer fences, and one at its end a space, which Markdown drops."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _end_table(trace: Trace) -> str:
    rows = ["| | at the end | |", "|---|---|---|"]
    for lane, value in ((lane, trace.final_values[lane]) for lane in trace.lanes if lane in trace.final_values):
        text = value if isinstance(value, str) else show(value)
        rows.append(f"| {escape(lane)} | {escape(text)} | {'contradiction' if lane in trace.guilty else ''} |")
    rows += [f"| {escape(name)} | {escape(value)} | |" for name, value in shared_at_end(trace).items()]
    return "\n".join(rows)

"""The trace as a Markdown summary: for a pull request or a build's summary page.

The summary has the sentence that a reviewer needs first, the contradicting values, the sequence diagram that Markdown
hosts render themselves, and the whole text report, folded.
"""

from __future__ import annotations

import re

from checker.report.ends import end_texts, shared_at_end
from checker.report.mermaid import mermaid
from checker.report.said import Said, Weight
from checker.report.tables import markdown_table
from checker.report.text import text_report
from checker.report.wording import TRACE_FILE, caption, guilty_said, title, witness
from checker.trace.trace import Trace


def markdown_summary(trace: Trace, file: str | None = TRACE_FILE, steps: bool = True) -> str:
    """The summary as Markdown; `file` is where the trace is stored (None: it is not).

    Without `steps` it says that the text report is left out.
    """
    parts = [f"### {escape(title(trace))}"]
    if witness(trace):
        parts.append(escape(witness(trace)))
    parts += guilty_sentences(trace)
    parts.append("\n".join(f"- {what}: {code(text)}" for what, text in caption(trace, file)))
    if end_texts(trace) or shared_at_end(trace):
        parts.append(_end_table(trace))
    parts.append(f"```mermaid\n{mermaid(trace)}```")
    if steps:
        fence = "`" * 4
        report = f"{fence}text\n{text_report(trace, file)}{fence}"
        parts.append(folded("Step by step", report))
    else:
        parts.append("The steps one by one are left out here, for length.")
    return "\n\n".join(parts) + "\n"


def guilty_sentences(trace: Trace) -> list[str]:
    """The guilty rule or statement, in bold, and what else is known of the reasons."""
    return [" ".join(map(_said, part)) for part in guilty_said(trace)]


def _said(said: Said) -> str:
    return f"**{escape(said.text)}**" if said.weight is Weight.STRONG else escape(said.text)


def folded(summary: str, text: str) -> str:
    """A folded text."""
    return f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def escape(text: str) -> str:
    """A text in which no character is Markdown or HTML."""
    for sign in "\\`*_[]<>#|&":
        text = text.replace(sign, f"\\{sign}")
    return text


def code(text: str) -> str:
    """A text as code.  A ` in it requires longer fences, and a ` at its end a space, which Markdown drops."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _end_table(trace: Trace) -> str:
    rows = [
        (escape(lane), escape(text), "contradiction" if lane in trace.guilty else "")
        for lane, text in end_texts(trace).items()
    ]
    rows += [(escape(name), escape(value), "") for name, value in shared_at_end(trace).items()]
    return markdown_table(["", "at the end", ""], rows)

"""Suites as a Markdown summary: for a build's page (GITHUB_STEP_SUMMARY) or a comment on a pull request.

First one table over all models, then each case that failed, with its trace folded away.  Hosts cut long comments, so passed properties are counted, not listed,
and the diagrams are kept to the first failures; what is left out is said.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.report.markdown import escape, markdown_summary
from checker.report.suite import ERROR, FAILED, PASSED, SKIPPED, Case, Suite
from checker.wording import counted

DIAGRAMS = 5


def build_summary(suites: Sequence[Suite]) -> str:
    """The Markdown text of all suites."""
    failed = [(suite, case) for suite in suites for case in suite.cases if case.status in (FAILED, ERROR)]
    parts = [f"## {_headline(suites)}"]
    if suites:
        rows = ["| | model | properties | explored |", "|---|---|---|---|"]
        parts.append("\n".join([*rows, *map(_row, suites)]))
    for text in [f"{suite.name}: {warning}" for suite in suites for warning in suite.warnings]:
        parts.append(f"> warning: {escape(text)}")
    parts += [_guards(suite) for suite in suites if suite.guards]
    for number, (suite, case) in enumerate(failed):
        parts.append(_failure(suite, case, diagram=number < DIAGRAMS))
    return "\n\n".join(parts) + "\n"


def _headline(suites: Sequence[Suite]) -> str:
    failed, errors, skipped = (sum(s.count(status) for s in suites) for status in (FAILED, ERROR, SKIPPED))
    total = sum(len(s.cases) for s in suites)
    if not total:
        return "Nothing was checked"
    wrong = [f"{failed} failed"] * (failed > 0) + [f"{errors} undecided or wrong"] * (errors > 0) + [f"{skipped} skipped"] * (skipped > 0)
    return f"{total} properties checked: {', '.join(wrong) or 'all as expected'}"


def _row(suite: Suite) -> str:
    status = "undecided" if suite.count(ERROR) else "passed"
    mark = "**FAILED**" if suite.count(FAILED) else f"**{status}**" if status != "passed" else status
    good = f"{suite.count(PASSED)} of {len(suite.cases)}"
    return f"| {mark} | {escape(suite.name)} | {good} | {escape(suite.explored)} |"


def _guards(suite: Suite) -> str:
    lines = "\n".join(f"- {escape(text)}" for text in suite.guards)
    return f"<details><summary>What guards blocked in {escape(suite.name)}</summary>\n\n{lines}\n\n</details>"


def _failure(suite: Suite, case: Case, diagram: bool) -> str:
    where = f" (`{case.place.file}:{case.place.line}`)" if case.place else ""
    head = f"**{escape(case.name)}** of {escape(suite.name)}{where}: {escape(case.message)}"
    if case.trace is None:
        return head
    if not diagram:
        return f"{head} Its diagram is left out here: only the first {DIAGRAMS} are shown."
    shown = markdown_summary(case.trace, file=case.stored)
    return f"{head}\n\n<details><summary>{case.name}: {counted(len(case.trace.steps), 'step')}</summary>\n\n{shown}\n</details>"

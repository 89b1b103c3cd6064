"""Suites as a Markdown summary: for a build's page (GITHUB_STEP_SUMMARY) or a comment on a pull request.

The summary has a table over all models, then each case that failed, with its trace folded.  Hosts refuse long comments
(GitHub: over 65,536 characters).  Passed properties are therefore counted, not listed; in a long table passed models
are counted too; diagrams are included for the first failures, as long as there is room.  The summary states what is
left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from checker.report.markdown import escape, folded, markdown_summary
from checker.report.suite import ERROR, FAILED, PASSED, SKIPPED, Case, Suite, not_passed
from checker.report.tables import markdown_table
from checker.wording import counted

DIAGRAMS = 5
ROWS = 100  # of passed models too, if the table has no more
ROOM = 60_000  # signs
Cells = tuple[str, str, str, str]


def build_summary(suites: Sequence[Suite]) -> str:
    """The Markdown text of all suites."""
    failed = not_passed(suites)
    parts = [f"## {_headline(suites)}"]
    if suites:
        parts.append(_table(suites))
    for text in [f"{suite.name}: {warning}" for suite in suites for warning in suite.warnings]:
        parts.append(f"> warning: {escape(text)}")
    parts += [_guards(suite) for suite in suites if suite.guards]
    for number, (suite, case) in enumerate(failed):
        room = ROOM - sum(map(len, parts))
        if room < 0:
            parts.append(f"{len(failed) - number} more are left out here, for length.")
            break
        parts.append(_failure(suite, case, number < DIAGRAMS, room))
    return "\n\n".join(parts) + "\n"


def _headline(suites: Sequence[Suite]) -> str:
    failed, errors, skipped = (sum(s.count(status) for s in suites) for status in (FAILED, ERROR, SKIPPED))
    hollow = sum(case.is_vacuous for s in suites for case in s.cases)
    total = sum(len(s.properties) for s in suites)
    if not any(s.cases for s in suites):
        return "Nothing was checked"
    others = ((errors - hollow, "undecided or wrong"), (hollow, "vacuous"), (skipped, "skipped"))
    counts = ((failed, "failed"), *others)
    wrong = ", ".join(f"{number:,} {what}" for number, what in counts if number)
    return f"{counted(total, 'property')} checked: {wrong or 'all as expected'}"


def _table(suites: Sequence[Suite]) -> str:
    wrong = [s for s in suites if s.count(FAILED) + s.count(ERROR)]
    shown = suites if len(suites) <= ROWS else wrong[:ROWS]
    rows = [*map(_row, shown)]
    if len(shown) < len(suites):
        passed = [s for s in suites if not s.count(FAILED) + s.count(ERROR)]
        kinds = (("**not passed**", wrong[ROWS:]), ("passed", passed))
        rows += [_others(mark, others) for mark, others in kinds if others]
    return markdown_table(["", "model", "properties", "explored"], rows)


def _others(mark: str, suites: Sequence[Suite]) -> Cells:
    return mark, f"{len(suites):,} not listed", _passed([case for s in suites for case in s.properties]), ""


def _row(suite: Suite) -> Cells:
    wrong = any(case.is_wrong for case in suite.cases)
    errors = [case for case in suite.cases if case.status == ERROR]
    undecided = "**vacuous**" if all(case.is_vacuous for case in errors) else "**undecided**"
    mark = "**FAILED**" if wrong else undecided if errors else "passed"
    return mark, escape(suite.name), _passed(suite.properties), escape(suite.explored)


def _passed(properties: Sequence[Case]) -> str:
    """How many of some properties have passed; "" without any."""
    good = sum(case.status == PASSED for case in properties)
    return f"{good:,} of {len(properties):,}" if properties else ""


def _guards(suite: Suite) -> str:
    lines = "\n".join(f"- {escape(text)}" for text in suite.guards)
    return folded(f"What guards blocked in {escape(suite.name)}", lines)


def _failure(suite: Suite, case: Case, diagram: bool, room: int) -> str:
    where = f" (`{case.place.file}:{case.place.line}`)" if case.place else ""
    head = f"**{escape(case.name)}** of {escape(suite.name)}{where}: {escape(case.message)}"
    if case.trace is None:
        return head
    if not diagram:
        return f"{head} Its diagram is left out here: only the first {DIAGRAMS} are shown."
    title = f"{case.name}: {counted(len(case.trace.steps), 'step')}"
    for steps in (True, False):
        shown = markdown_summary(case.trace, file=case.stored, steps=steps)
        if len(shown) + len(head) < room:
            return f"{head}\n\n{folded(title, shown[:-1])}"
    return f"{head} Its diagram is left out here, for length."

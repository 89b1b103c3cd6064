"""The comment of `checker verify --since REVISION --comment FILE`: what a change does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from checker.analysis.review import review
from checker.analysis.since import Touched
from checker.report.review import failure_comment, review_comment
from checker.report.written import write_file
from checker.results.verified import Unread, Verified


def write_comment(
    target: str,
    results: Sequence[Verified],
    change: Touched,
    since: str,
    link: str | None,
    progress: Any,
    unread: Sequence[Unread] = (),
) -> None:
    """Compare what the change touches with what it was, and write the comment."""
    write_file(target, review_comment(review(results, change, since, progress, unread), link), "--comment")


def write_failure(target: str, error: BaseException, link: str | None) -> None:
    """A comment that says why nothing was verified."""
    interrupted = "It was interrupted before any expectation was verified."
    text = interrupted if isinstance(error, KeyboardInterrupt) else str(error)
    write_file(target, failure_comment(text, link), "--comment")

"""The summary for a build's page has to fit into a comment."""

from checker.report.build_summary import build_summary
from checker.report.suite import FAILED, PASSED, Case, Suite
from checker.trace.trace import Trace
from tests.report import runs

COMMENT = 65_536  # signs in a comment on GitHub


def suite(number: int, status: str = PASSED, trace: Trace | None = None) -> Suite:
    """A model with two properties, the second with this status."""
    other = Case(
        "Other", "invariant", status, "violated" if status == FAILED else "holds", "as it is said. " * 10, trace=trace
    )
    return Suite(
        f"model_{number}",
        (("processes", "3"),),
        (Case("One", "invariant", PASSED, "holds"), other),
        "1,000,000 states, 2,000,000 transitions",
    )


def test_of_many_models_those_that_failed_are_listed() -> None:
    """The others are counted; a short table has them all."""
    text = build_summary([suite(n, FAILED if n == 300 else PASSED) for n in range(600)])
    assert (
        "| **FAILED** | model\\_300 processes=3 | 1 of 2 |" in text
        and ("| passed | 599 not listed | 1,198 of 1,198 | |") in text
    )
    assert len(text) < COMMENT and "model\\_7 " not in text
    assert build_summary([suite(n) for n in range(100)]).count("| passed | model") == 100


def test_a_long_run_gives_up_its_steps_first() -> None:
    """Its sequence diagram, which is bounded, stays."""
    long, short = runs.many_steps(2_000, 4), runs.total_order()
    text = build_summary([suite(1, FAILED, long), suite(2, FAILED, short)])
    assert len(text) < COMMENT and text.count("```mermaid") == 2
    assert (
        text.count("<summary>Step by step</summary>") == 1
        and text.count("The steps one by one are left out here, for length.") == 1
    )


def test_failures_without_room_are_counted() -> None:
    """In the headline, the table and below it."""
    text = build_summary([suite(n, FAILED) for n in range(1000)])
    assert len(text) < COMMENT and "| **not passed** | 900 not listed | 900 of 1,800 | |" in text
    shown = text.count("**Other** of")
    assert (
        text.startswith("## 2,000 properties checked: 1,000 failed")
        and (f"{1000 - shown} more are left out here, for length.") in text
    )

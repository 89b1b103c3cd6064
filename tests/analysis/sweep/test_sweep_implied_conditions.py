"""`checker sweep --implied` says nothing that a sweep without it would not: each model here has one thing that makes a
verdict depend on a budget of faults."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.sweep.asking import ASKING
from tests.cli.commands import Ran

Checker = Callable[..., Ran]


@pytest.fixture
def asking(here: Path) -> str:
    """The file of the models."""
    (here / "asking.py").write_text(ASKING, encoding="utf-8")
    return "asking.py"


def swept(checker: Checker, *arguments: str) -> Any:
    """The rows of a sweep, and of one with --implied."""
    return [checker("sweep", *arguments, "--jobs", "1", *more, "--json", "-").json() for more in ((), ("--implied",))]


def contradictions(plain: Any, implied: Any) -> list[str]:
    """Properties, assertions and errors that come out otherwise, or take other numbers of steps, where both sweeps
    decide them."""
    found = []
    for one, other in zip(plain["rows"], implied["rows"]):
        p, q = ({j["name"]: j for j in row.get("properties", ())} for row in (one, other))
        for name in {**p, **q}:
            a, b = (
                p.get(name, {"verdict": "nowhere", "steps": None}),
                q.get(name, {"verdict": "nowhere", "steps": None}),
            )
            same = a["verdict"] == b["verdict"] or (a["verdict"], b["verdict"]) in {
                ("holds", "implied"),
                ("untested", "implied"),
            }
            if "unknown" not in (a["verdict"], b["verdict"]) and not (same and b["steps"] in (a["steps"], None)):
                found.append(
                    f"{one['given']}: {name} {a['verdict']} {a['steps']}, with --implied {b['verdict']} {b['steps']}"
                )
        if (one["verdict"] == "error") != (other["verdict"] == "error"):
            found.append(f"{one['given']}: {one['verdict']}, with --implied {other['verdict']}")
        if (
            one["bound"] is None
            and other["distinct"] > 0
            and other["transitions"] == 0
            and other["distinct"] != one["distinct"]
        ):
            found.append(f"{one['given']}: {one['distinct']} states, with --implied {other['distinct']}")
    return found


@pytest.mark.parametrize("all", [(), ("--all",)])
@pytest.mark.parametrize(
    ("name", "varied"),
    [
        ("Left", "crashes=0..2"),
        ("Derived", "losses=0..2"),
        ("OfProperty", "losses=0..2"),
        ("Follows", "losses=0..2"),
        ("ByDefault", "losses=0..2"),
        ("Recovers", "crashes=0..2"),
        ("Kills", "crashes=0..2"),
        ("Parameter", "losses=0..2"),
        ("Cut", "losses=0..2"),
        ("Cut", "crashes=0..2"),
        ("Asserts", "losses=0..2"),
        ("Asserts", "crashes=0..2"),
        ("Breaks", "crashes=0..3"),
        ("Errs", "crashes=0..2"),
        ("LooksLikeACrash", "crashes=0..1"),
        ("Partitioned", "partitions=0..1"),
        ("Either", "crashes=0..1 losses=0..2"),
        ("OnceLost", "losses=0..1 channels=unordered|fifo"),
        ("WrongAfterACrash", "crashes=0..1 losses=0..2"),
    ],
)
def test_nothing_is_said_that_a_search_contradicts(
    checker: Checker, asking: str, name: str, varied: str, all: tuple[str, ...]
) -> None:
    """In each row the same verdicts and steps, assertions and errors included."""
    plain, implied = swept(checker, f"{asking}:{name}", *(part for v in varied.split() for part in ("-D", v)), *all)
    assert contradictions(plain, implied) == []
    assert implied["exit_code"] == plain["exit_code"]


@pytest.mark.parametrize(("name", "rows"), [("Asserts", 4), ("Breaks", 3), ("Errs", 3)])
def test_what_goes_wrong_is_counted_in_every_row(checker: Checker, asking: str, name: str, rows: int) -> None:
    """An assertion or an error is violated in as many rows as without --implied."""
    for found in swept(checker, f"{asking}:{name}", "-D", "crashes=0..3", "--all"):
        (broken,) = [p for p in found["properties"] if "line" in p["name"]]
        assert broken["violated"] == rows


@pytest.mark.parametrize("most", ["5", "10", "20"])
def test_a_violation_outside_the_constraint_is_as_near_as_it_is(checker: Checker, asking: str, most: str) -> None:
    """Within a limit too."""
    plain = checker("sweep", f"{asking}:Cut", "-D", "losses=0..2", "--all", "--jobs", "1", "--json", "-").json()
    implied = checker(
        "sweep",
        f"{asking}:Cut",
        "-D",
        "losses=0..2",
        "--all",
        "--jobs",
        "1",
        "--json",
        "-",
        "--implied",
        "--max-states",
        most,
    ).json()
    assert contradictions(plain, implied) == []


def test_a_searched_row_has_all_its_findings(checker: Checker, asking: str) -> None:
    """A claim about the members of what is empty makes the row vacuous, though its property was asked of other budgets
    in the same search."""
    plain, implied = swept(checker, f"{asking}:About", "-D", "losses=0..2", "--strict")
    assert plain["rows"][-1]["verdict"] == implied["rows"][-1]["verdict"] == "vacuous"
    assert plain["rows"][-1]["note"] == implied["rows"][-1]["note"] != ""
    assert plain["exit_code"] == implied["exit_code"] == 3


def test_what_does_not_follow_in_one_direction_may_follow_in_another(checker: Checker, asking: str) -> None:
    """Which budget is read matters: with losses alone nothing is searched that follows."""

    def searched(name: str, *varied: str) -> int:
        rows = checker(
            "sweep",
            f"{asking}:{name}",
            *(part for v in varied for part in ("-D", v)),
            "--all",
            "--jobs",
            "1",
            "--implied",
            "--json",
            "-",
        ).json()["rows"]
        return sum(row["seconds"] > 0 for row in rows)

    assert searched("Left", "crashes=0..2", "losses=0|1") == 6
    assert searched("Left", "losses=0|1") == 1
    assert searched("Derived", "crashes=0..2", "losses=0|1") == 2

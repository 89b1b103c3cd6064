"""`find --reduce`: the same answers as of all states, and runs as short, unless a limit ends the ordinary search."""

from __future__ import annotations

import json
from typing import Any

import pytest

import checker
from checker.analysis.find import find_state
from checker.catalogue import find
from checker.cli.program import run
from checker.language.errors import UsageError
from checker.search.limits import Limits

PREDICATES = [
    ("isis", {"workload": (1, 1)}, "any(len(delivered[p]) == 2 for p in Process)", False),
    ("isis", {"workload": (1, 1)}, "len(delivered[p1]) == 1 and len(delivered[p2]) == 0", False),
    ("isis", {"workload": (1, 1)}, "any(deliverable(p, m) for p in Process for m in Message)", False),
    ("isis", {"workload": (1, 1)}, "len(delivered[p1]) >= 3", False),
    ("isis", {"workload": (1, 1)}, "len(delivered[p1]) < 2", True),
    ("isis", {"workload": (1, 1)}, "delivered[p1] == [m2.1, m1.1]", True),
    ("isis", {"workload": (1, 1), "crashes": 1}, "len(delivered[p1]) < 2", True),
    ("isis:NoTieBreak", {"workload": (1, 1)}, "delivered[p1] != delivered[p2]", True),
    ("reliable_multicast", {"workload": (1, 1)}, "len(delivered[p1]) > len(delivered[p2])", False),
    (
        "reliable_multicast",
        {"workload": (1, 1)},
        "len(delivered[p1]) == 0 and sum(sent[p] for p in Process) == 2",
        False,
    ),
    ("reliable_multicast", {"workload": (1, 0), "losses": 1}, "len(delivered[p2]) == 0", True),
    ("s_toto", {"workload": (1, 1, 0)}, "len(delivered[p3]) == 2 and len(delivered[p1]) == 0", False),
]


@pytest.mark.parametrize(("reference", "constants", "predicate", "at_end"), PREDICATES)
def test_a_reduced_search_answers_as_the_full_one(
    reference: str, constants: dict[str, Any], predicate: str, at_end: bool
) -> None:
    """Of states that are passed through, of states at rest, with faults; the run is the same."""
    cls = find(reference).cls
    full, reduced = (
        find_state(cls, reference, predicate, constants, at_end=at_end, reduce=reduce) for reduce in (False, True)
    )
    assert reduced.verdict == full.verdict
    assert reduced.trace == full.trace and reduced.reduced == (full.trace is None)
    assert reduced.distinct <= full.distinct


def test_fewer_states_are_looked_at() -> None:
    """Of what only grows, and of a number that is left again: the steps that may reach it begin a set with those that
    leave it."""
    states = [
        checker.find("isis", f"len(delivered[p1]) {ask}", workload=(1, 1, 0), reduce=True).distinct
        for ask in (">= 3", "== 2 and False")
    ]
    assert states == [471, 471]  # of 5,762


def test_a_run_of_the_reduced_graph_is_said_to_be_one() -> None:
    """Where a limit ends the ordinary search first."""
    ask = "all(len(delivered[p]) >= 2 for p in Process)"
    given: dict[str, Any] = {"workload": (1, 1, 0)}
    cls = find("isis").cls
    found = find_state(cls, "isis", ask, given, reduce=True, limits=Limits(max_states=1_500))
    assert (found.verdict, found.reduced) == ("found", True)
    assert found.trace is not None and "shorter traces may exist" in str(found.trace.claim)


def test_the_command_says_that_the_graph_is_reduced(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["find", "isis", "len(delivered[p1]) >= 3", "-D", "workload=(1,1)", "--reduce"]
    assert run(arguments) == 1
    assert "every state of a reduced graph of 113, which suffices, was looked at" in capsys.readouterr().out
    assert run([*arguments, "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out)["reduced"] is True


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"limits": Limits(max_depth=3)}, "--max-depth"),
        ({"engine": "interpreter"}, "the engine interpreter explores every state"),
    ],
)
def test_what_needs_every_state_is_refused(how: dict[str, Any], what: str) -> None:
    """With the reason, and the way out."""
    with pytest.raises(UsageError, match=what) as raised:
        find_state(find("isis").cls, "isis", "len(delivered[p1]) >= 3", {}, reduce=True, **how)
    assert "Leave out --reduce" in str(raised.value.remedy)

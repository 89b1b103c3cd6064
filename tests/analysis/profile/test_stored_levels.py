"""The profile of a search whose states are in files is made from the files: nothing is searched again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from checker.analysis.check import examine
from checker.analysis.profile import profile as profiles
from checker.analysis.profile.reaching import InLevels, InMemory
from checker.catalogue import find
from checker.contract import uncounted
from checker.engines import survey
from checker.search.expansions import successors_of
from tests.analysis.profile.test_growth import ASKING, GUARD, LIMIT
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]
BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks" / "models"
CASES: list[tuple[str, dict[str, Any]]] = [
    ("isis", {"workload": (1, 1)}),
    ("fifo_multicast", {"workload": (2, 1)}),
    (str(BENCHMARKS / "filter_lock.py"), {"processes": 3}),
]


@pytest.fixture(params=CASES, ids=lambda case: Path(case[0]).stem)
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[InMemory, InLevels]:
    """The states of a search in memory, and the same in pieces of at most seven."""
    monkeypatch.setattr(survey, "CHUNK", 7)
    name, constants = request.param
    entry = find(name)
    explored = examine(entry.cls, entry.reference, constants, stop_at_first=False).explored
    assert explored.packed is not None and explored.survey is not None
    return InMemory(explored.packed), InLevels(explored.survey())


def test_states_are_attributed_in_equal_parts_to_the_steps_from_the_level_before(
    both: tuple[InMemory, InLevels],
) -> None:
    """Counted here by expanding state by state."""
    memory, levels = both
    result, kernel = memory.packed.result, memory.kernel
    number = {state.tobytes(): n for n, state in enumerate(result.states())}
    depth = result.depths(np.arange(result.distinct))
    into: dict[int, Counter[int]] = {}
    for source, state in enumerate(result.states()):
        counters = uncounted(kernel)
        successors = successors_of(kernel, state, counters=counters)
        taken = np.repeat(np.arange(len(kernel.actions)), counters[len(kernel.actions) : 2 * len(kernel.actions)])
        for action, after in zip(taken.tolist(), successors):
            target = number[after.tobytes()]
            if depth[target] == depth[source] + 1:
                into.setdefault(target, Counter())[action] += 1
    expected = [Fraction(0)] * len(kernel.actions)
    for steps in into.values():
        for action, count in steps.items():
            expected[action] += Fraction(count, steps.total())
    found = levels.reached(result.distinct)
    assert np.allclose(found, [float(share) for share in expected])
    assert np.isclose(found.sum(), memory.reached(result.distinct).sum()) and sum(expected) == len(into)
    assert any(len(steps) > 1 for steps in into.values())


def test_states_in_files_are_those_in_memory(both: tuple[InMemory, InLevels]) -> None:
    """All of them, those of the last level, and how many there are; a sample has some of each file."""
    memory, levels = both
    counts = [(s.distinct, s.initial, s.depth, s.taken) for s in both]
    assert counts[0] == counts[1]
    for some in ("sample", "last"):
        rows = [sorted(map(bytes, getattr(source, some)(memory.distinct))) for source in both]
        assert rows[0] == rows[1]
    few = levels.sample(memory.distinct // 4)
    assert memory.distinct // 4 <= len(few) < memory.distinct // 2


def test_runs_from_files_are_those_in_memory(both: tuple[InMemory, InLevels]) -> None:
    """The search's own runs to states of the last level."""
    memory, levels = both
    ends = memory.last(3)
    for one, other in zip(memory.runs(ends), levels.runs(ends), strict=True):
        assert np.array_equal(one, other) and len(one) == memory.depth


def test_a_search_that_is_resumed_is_not_searched_again(checker: Checker) -> None:
    """Of a finished one only the files are there.  The profile is that of the search in memory; which steps led to
    known states may differ, not how many.
    """
    here = checker("check", "isis", "-D", "workload=1,1", "--workdir", "w", "--profile", "--json", "-").json()
    ran = checker("resume", "w", "--profile", "--json", "-")
    there = ran.json()
    assert ran.err == "" and "again" not in there["seconds"]
    duplicates = [[a.pop("duplicates") for a in found["profile"]["actions"]] for found in (here, there)]
    assert here["profile"] == there["profile"]
    assert abs(sum(duplicates[0]) - sum(duplicates[1])) <= 2 and duplicates[0] != duplicates[1]


def test_a_search_beyond_memory_is_not_searched_again(checker: Checker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its levels are on disk; the samples are smaller than the search."""
    monkeypatch.setattr(profiles, "PARENT_SAMPLE", 500)
    monkeypatch.setattr(profiles, "VALUE_SAMPLE", 5000)
    ran = checker(
        "check",
        str(BENCHMARKS / "two_phase_commit.py"),
        "-D",
        "managers=7",
        "--max-memory",
        "16M",
        "--profile",
        "--json",
        "-",
    )
    found = ran.json()
    assert "memory was full" in ran.err and "again" not in found["seconds"]
    profile = found["profile"]
    assert profile["over"] == found["distinct"] and profile["sampled"]
    new = sum(a["transitions"] - a["duplicates"] for a in profile["actions"])
    assert 0.95 * found["distinct"] < new < 1.05 * found["distinct"]


@pytest.mark.parametrize("channels", ["unordered", "fifo"])
def test_growth_without_end_is_seen_in_files(checker: Checker, write: Write, channels: str) -> None:
    """The run that comes back is rebuilt from the levels."""
    file = write("asking.py", ASKING.replace(GUARD, ""))
    limit = (*LIMIT[:-2], "--max-depth", "8", "-D", f"channels={channels}")
    here = checker("check", file, *limit, "--workdir", "w", "--profile", "--json", "-").json()
    there = checker("resume", "w", "--max-depth", "8", "--profile", "--json", "-").json()
    assert "again" not in there["seconds"]
    assert here["profile"]["endless"] == there["profile"]["endless"] is not None

"""`checker sweep --reduce`: the same verdicts as without, said to be of reduced graphs; in full what cannot be
reduced."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from checker.analysis.sweep.choices import choices_of
from checker.analysis.sweep.sweep import sweep
from checker.language.errors import UsageError
from checker.report.lines import plain
from checker.report.sweep import lines
from checker.results.sweep import Sweep
from checker.search.limits import Limits
from tests.cli.commands import Ran

Checker = Callable[..., Ran]

TURNING = """from checker.language import Int, Model, action, const, invariant, require, var


class Turning(Model):
    \"\"\"A number that goes up and, with `round`, starts over.\"\"\"

    round = const(False, "whether it starts over")

    n = var(Int(0, 2), 0)

    @action
    def up(self):
        require(self.n < 2 or self.round)
        self.n = (self.n + 1) % 3

    @invariant
    def small(self) -> bool:
        return self.n <= 2
"""


def both(reference: str, *values: str, only: list[str] | None = None) -> tuple[Sweep, Sweep]:
    """A sweep without and with --reduce."""
    full, reduced = (sweep(reference, choices_of(values), only=only, reduce=r) for r in (False, True))
    return full, reduced


@pytest.mark.parametrize(
    ("reference", "values", "smaller"),
    [
        ("isis", ("workload=1,0|1,1|1,0,0",), 3),
        ("isis", ("workload=1,0", "crashes=0..1", "losses=0..1"), 1),
        pytest.param(
            "isis", ("workload=1,0", "crashes=0..1", "losses=0..1", "duplicates=0..1"), 1, marks=pytest.mark.thorough
        ),
        ("isis:NoTieBreak", ("workload=1,0|1,1",), 1),
        ("reliable_multicast", ("workload=1,0|1,1", "crashes=0..1"), 2),
    ],
)
def test_verdicts_steps_and_outcomes_are_those_of_the_full_sweep(
    reference: str, values: tuple[str, ...], smaller: int
) -> None:
    """Row by row; where something is violated the counts are, too."""
    full, reduced = both(reference, *values)
    for one, other in zip(full.rows, reduced.rows, strict=True):
        assert (one.verdict, one.properties, one.outcomes) == (other.verdict, other.properties, other.outcomes)
        assert other.distinct <= one.distinct if other.reduced else other.distinct == one.distinct
        assert other.reduced == (one.verdict == "holds") and not one.reduced and not other.note
    assert sum(one.distinct > other.distinct for one, other in zip(full.rows, reduced.rows)) >= smaller
    assert full.exit_code == reduced.exit_code and full.summaries() == reduced.summaries()


def test_a_configuration_that_cannot_be_reduced_is_searched_in_full(checker: Checker, here: Path) -> None:
    """One has a cycle: its row has the counts of the full graph and says why, the other is reduced."""
    (here / "turning.py").write_text(TURNING, encoding="utf-8")
    ran = checker("sweep", "turning.py", "-D", "round=false|true", "--reduce", "--jobs", "1", "--json", "found.json")
    assert ran.code == 0
    assert "searched in full; --reduce: the reduced graph has a cycle" in ran.out
    assert "reduced graphs in 1 of 2 configurations: states, transitions and depth are theirs" in ran.out


def test_a_violation_without_a_shortest_run_has_no_steps() -> None:
    """The ordinary search reaches its limit first."""
    choices = choices_of(["workload=1,1"])
    found = sweep("isis:NoTieBreak", choices, reduce=True, limits=Limits(max_states=200))
    (row,) = found.rows
    assert row.verdict == "violated" and row.reduced
    assert [p.steps for p in row.violated] == [None] * len(row.violated) != []
    assert any("reduced graphs in 1 of 1 configuration" in plain(text) for text in lines(found))


def test_depths_are_refused() -> None:
    """They ask for all states that are near."""
    with pytest.raises(UsageError, match="--max-depth"):
        sweep("isis", choices_of(["workload=1,0"]), reduce=True, limits=Limits(max_depth=3))


OPEN = ("workload=1,1|1,0,0", "crashes=0..1")
JUDGED = ["NoDuplication", "TotalOrder", "Validity"]


@cache
def complete() -> Sweep:
    """The sweep that no limit ends."""
    return sweep("isis", choices_of(OPEN), only=JUDGED, stop_at_first=False)


@pytest.mark.parametrize("asked", [{"stop_at_first": False}, {"implied": True}, {"strict": True}], ids=str)
def test_what_full_searches_leave_open_is_decided_by_reduced_ones(asked: dict[str, bool]) -> None:
    """Within the same limit: what was decided stays as it is, with its counts; the rest is as in a sweep without a
    limit, but that a violation has no steps."""
    limits = Limits(max_states=400)
    short = sweep("isis", choices_of(OPEN), only=JUDGED, limits=limits, **asked)  # type: ignore[arg-type]
    longer = sweep("isis", choices_of(OPEN), only=JUDGED, limits=limits, reduce=True, **asked)  # type: ignore[arg-type]
    more = 0
    for whole, before, after in zip(complete().rows, short.rows, longer.rows, strict=True):
        assert (before.distinct, before.transitions) == (after.distinct, after.transitions)
        for p, q, r in zip(whole.properties, before.properties, after.properties):
            if q.verdict != "unknown":
                assert q == r
            elif r.verdict != "unknown":
                more += 1
                assert r.verdict == p.verdict and r.steps in (None, p.steps)
                assert f"decided by a reduced search: {r.name}" in after.note or f", {r.name}" in after.note
    assert more >= 2 and sum(s.undecided for s in longer.summaries()) < sum(s.undecided for s in short.summaries())


def test_what_cannot_be_reduced_stays_open(here: Path) -> None:
    """It has a cycle: the reduced search says nothing, and nothing is searched in full again."""
    (here / "turning.py").write_text(TURNING, encoding="utf-8")
    limits = Limits(max_states=2)
    found = sweep("turning.py", choices_of(["round=true"]), reduce=True, stop_at_first=False, limits=limits)
    assert [p.verdict for p in found.rows[0].properties] == ["unknown"] and not found.rows[0].note

"""Comparisons that a limit or Ctrl-C ends: what was compared is reported, and what was not is named."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.language import Int, Model, action, invariant, require, var
from checker.language.constants import const
from checker.report.compare.configurations import differing, not_looked_at, verdict_text
from checker.report.compare.data import family_data
from checker.results.configurations import FamilyComparison
from checker.results.verdict import Compared

LITTLE = 1_000_000  # bytes


class Steps(Model):
    """Counts to a limit, and has a second counter that the edit lets run ahead."""

    most = const(5)
    n = var(Int(0, 50), 0)
    ahead = var(Int(0, 50), 0)

    @action
    def up(self):
        require(self.n < self.most)
        self.n = self.n + 1

    @action
    def follow(self):
        require(self.ahead < self.n)
        self.ahead = self.ahead + 1

    @invariant
    def behind(self) -> bool:
        return self.ahead <= self.n

    @invariant
    def small(self) -> bool:
        return self.n < 40


class Ahead(Steps):
    """EDIT: runs ahead by one."""

    @action
    def follow(self):
        require(self.ahead < self.n + 1)
        self.ahead = self.ahead + 1


class Slower(Steps):
    """EDIT: follows by the end only."""

    @action
    def follow(self):
        require(self.ahead < self.n and self.n == self.most)
        self.ahead = self.ahead + 1


def compared(edit: type[Model], most: tuple[int, ...], **how: Any) -> FamilyComparison:
    """In these configurations, without z3 and delays."""
    wanted = [{"most": number} for number in most]
    return compare_family(
        Side(Steps, "base"), Side(edit, "edit"), wanted, rule_seconds=0.0, engine="interpreter", **how
    )


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """Options with which Ctrl-C comes in the search of which this is announced."""
    monkeypatch.setattr("checker.engines.interpreted.INTERVAL", 0)

    def options(wanted: str) -> dict[str, Any]:
        now: list[str] = []

        def progress(_: object) -> None:
            if wanted in now[-1]:
                os.kill(os.getpid(), signal.SIGINT)

        return {"announce": now.append, "progress": progress}

    return options


def test_properties_that_a_limit_leaves_undecided_are_named_beside_those_that_are_broken() -> None:
    """Nothing is claimed of them, and of the base's verdicts neither."""
    from checker.search.limits import Limits

    found = compared(Ahead, (45, 46), limits=Limits(max_states=20))
    assert found.verdict is Compared.BROKEN and found.exit_code == 1
    texts = [what for _, what, _ in differing(found)]
    assert len(texts) == 2 and all(
        "breaks behind in 1 step; " in t and "; behind, small not decided" in t for t in texts
    )
    assert "properties not decided in 2 configurations" in verdict_text(found)
    summary = [text for key, text in family_data(found)["summary"] if key == "undecided"]
    assert summary == [
        "behind not decided for base: the search was stopped by the limit on states (20)",
        "small not decided for edit: the search was stopped by the limit on states (20)",
    ]


def test_ctrl_c_in_a_later_configuration_ends_with_those_before(at: Any) -> None:
    """The others are named, the parts that were not begun too."""
    found = compared(Slower, (2, 3, 4), **at("configuration 2 of 3 (most=3): searching base"))
    assert found.interrupted and found.verdict is Compared.INCONCLUSIVE and found.exit_code == 4
    assert [row.given for row in found.looked] == [{"most": 2}]
    assert not_looked_at(found) == "most=3, most=4 (interrupted)"
    assert verdict_text(found).startswith("interrupted; ")
    assert family_data(found)["interrupted"] is True
    assert found.shown.steps is None and "steps" in found.shown.left_open and "interrupted" in found.shown.left_open


def test_ctrl_c_in_the_first_search_of_the_edit_leaves_its_properties_open(at: Any) -> None:
    """As `check` does; in that of the base there is nothing to report."""
    found = compared(Slower, (30,), **at("searching edit"))
    assert found.interrupted and found.exit_code == 4
    assert found.looked[0].undecided == ("behind not decided", "small not decided")
    with pytest.raises(KeyboardInterrupt):
        compared(Slower, (30,), **at("searching base"))


def test_ctrl_c_in_a_part_leaves_out_this_part_and_the_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is broken stays broken."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("checker.analysis.compare.parts.step_difference", interrupted)
    found = compared(Ahead, (2,), event_seconds=10.0)
    assert found.interrupted and found.exit_code == 1
    assert found.shown.left_open == "steps, sequences of events: the comparison was interrupted before"
    monkeypatch.setattr("checker.analysis.compare.several.step_difference", interrupted)
    found = compared(Slower, (2,))
    assert found.exit_code == 4 and verdict_text(found) == "interrupted; no difference in 1 configuration (verdicts)"


def test_a_second_ctrl_c_ends_it(monkeypatch: pytest.MonkeyPatch, at: Any) -> None:
    """Runs are made after the first."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("checker.analysis.compare.parts.kinds_alone", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compared(Slower, (30,), **at("searching edit"))


def test_a_side_takes_its_share_of_the_memory_that_is_free_and_what_that_cuts_off_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A requested limit is taken as it is."""
    from checker.models.isis import Isis, NothingToItself
    from checker.search.limits import Limits

    monkeypatch.setattr("checker.analysis.compare.several.available_memory", lambda: 8 * LITTLE)
    sides, wanted = (Side(Isis, "base"), Side(NothingToItself, "edit")), [{"workload": (1, 0)}, {"workload": (2, 1)}]
    found = compare_family(*sides, wanted, rule_seconds=0.0, reduce=False, within=1e6)
    assert [row.given for row in found.looked] == [{"workload": (1, 0)}]
    assert not_looked_at(found).startswith("workload=2,1 (memory was full after ")
    assert "NoDuplication" in not_looked_at(found) and "not decided" in not_looked_at(found)
    given = compare_family(
        *sides, wanted, rule_seconds=0.0, reduce=False, within=1e6, limits=Limits(max_memory=1 << 30)
    )
    assert not given.passed

"""`compare --reduce`: the verdicts, outcomes and causes of full searches."""

from __future__ import annotations

from typing import Any

import pytest

import checker
from checker.analysis.compare import pair
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.outcomes import kinds_alone
from checker.analysis.compare.pair import SHOWN, configured, searched, silent
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.catalogue import find
from checker.language import LeadsTo
from checker.language.errors import Undecided, UsageError
from checker.models.isis import Isis
from checker.report.compare.first_screen import first_screen
from checker.report.compare.markdown import comparison_markdown
from checker.report.lines import plain
from checker.results.comparison import Comparison
from checker.search.limits import Limits

BRIEF: dict[str, Any] = {"rule_seconds": 0.0, "step_seconds": 0.0, "event_seconds": 0.0, "delay_seconds": 0.0}
EDITS: list[tuple[str, str, dict[str, Any]]] = [
    ("isis", "isis:NoTieBreak", {"workload": (1, 1)}),
    ("isis:NoTieBreak", "isis", {"workload": (1, 1)}),
    ("isis", "isis:OneProposalLess", {"workload": (1, 1)}),
    ("isis", "isis:Gathering", {"workload": (1, 1)}),
    ("isis", "isis:Gathering", {"workload": (1, 0), "crashes": 1}),
    ("isis:TieBySender", "isis:NoTieBreak", {"workload": (1, 1)}),
    ("basic_multicast", "reliable_multicast", {"workload": (1, 1)}),
    ("basic_multicast", "reliable_multicast", {"workload": (1, 0), "crashes": 1}),
    ("reliable_multicast", "reliable_multicast:NonBlocking", {"workload": (1, 0)}),
    ("sequencer", "sequencer:StartAtMinusOne", {"workload": (1, 1)}),
    ("wait_for_all", "s_toto", {"workload": (1, 1, 0)}),
]


def side(reference: str) -> Side:
    return Side(find(reference).cls, reference)


def told(c: Comparison) -> tuple[Any, ...]:
    """What a comparison says of verdicts and outcomes."""
    found = c.outcomes
    assert found is not None
    properties = [(p.name, p.before, p.after, p.change, p.cause, p.note, p.trace) for p in c.properties]
    kinds = [sorted((r.count, r.steps) for r in runs) for runs in (found.added, found.removed)]
    return c.verdict, properties, found.before, found.after, kinds


def thorough_but(kept: tuple[int, ...], edits: list[tuple[str, str, dict[str, Any]]]) -> list[Any]:
    """These edits as parameters; each build takes those that are kept."""
    return [pytest.param(*edit, marks=() if i in kept else pytest.mark.thorough) for i, edit in enumerate(edits)]


@pytest.mark.parametrize(("base", "edit", "constants"), thorough_but((0, 4, 7, 8, 9), EDITS))
def test_verdicts_and_outcomes_are_those_of_full_searches(base: str, edit: str, constants: dict[str, Any]) -> None:
    """With what breaks and the run that shows it; the kinds of outcome that one side has alone, and their lengths."""
    full, reduced = (compare(side(base), side(edit), constants, reduce=r, **BRIEF) for r in (False, True))
    assert told(full) == told(reduced)
    for one, all_states in ((reduced.base, full.base), (reduced.edit, full.edit)):
        violated = all_states.verdict == "violated"
        assert bool(one.reduced) != violated and "are dropped" not in one.reduced
        assert one.distinct == all_states.distinct if violated else one.distinct <= all_states.distinct
    assert (reduced.costs is None) == bool(reduced.base.reduced or reduced.edit.reduced)
    assert full.costs is not None


@pytest.mark.parametrize(("base", "edit", "constants"), thorough_but((0, 3), EDITS[:4]))
def test_outcomes_themselves_are_equal(base: str, edit: str, constants: dict[str, Any]) -> None:
    """Not only how many there are."""
    sides = configured(side(base), side(edit), constants)
    searches = [searched(sides, silent, reduce=r) for r in (False, True)]
    assert [found.base.explored.outcomes() for found in searches][0] == searches[1].base.explored.outcomes()
    assert [found.edit.explored.outcomes() for found in searches][0] == searches[1].edit.explored.outcomes()
    assert all(kinds_alone(found.base, found.edit) is not None for found in searches)


@pytest.mark.parametrize(("base", "edit", "constants"), thorough_but((0, 4), EDITS))
def test_large_graphs_are_reduced_unless_it_is_refused(
    base: str, edit: str, constants: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large are more than 100 states here: verdicts, outcomes and runs are those of full searches, without a warning
    about a side that violates a property and is searched in full."""
    full = compare(side(base), side(edit), constants, reduce=False, **BRIEF)
    assert not full.base.reduced and not full.edit.reduced
    small = compare(side(base), side(edit), constants, **BRIEF)
    assert told(small) == told(full) and not small.base.reduced
    monkeypatch.setattr(pair, "LARGE", 100)
    sized = compare(side(base), side(edit), constants, **BRIEF)
    assert told(sized) == told(full) and sized.warnings == full.warnings
    for one, all_states in ((sized.base, full.base), (sized.edit, full.edit)):
        assert bool(one.reduced) == (all_states.verdict == "holds" and all_states.distinct > 100)


def test_what_was_found_below_the_limit_stays_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A violation among the first states, though the full search that follows ends before it."""
    monkeypatch.setattr(pair, "LARGE", 440)
    given: dict[str, Any] = {"workload": (1, 1)}

    def late(*_: Any, **__: Any) -> Any:
        raise Undecided("the time is over")

    monkeypatch.setattr(pair, "_examined", late)
    found = compare(side("isis"), side("isis:NoTieBreak"), given, **BRIEF)
    assert found.verdict == "broken" and found.edit.bound == "states"


def test_a_side_that_is_searched_in_full_says_why() -> None:
    """For a violation, of which all others are looked for, too."""
    found = compare(side("isis"), side("isis:NoTieBreak"), {"workload": (1, 1)}, reduce=True, **BRIEF)
    assert found.warnings == (f"isis:NoTieBreak was searched in full: {SHOWN}",)
    assert found.base.reduced and not found.edit.reduced
    assert len(found.changed("broken")) == 3


class Delivered(LeadsTo):
    """Somebody delivers something at last."""

    def then(self) -> bool:
        return any(len(self.delivered[p]) > 0 for p in self.Process)


class Answered(Isis):
    """With a property of whole runs."""

    properties = [*Isis.properties, Delivered]


def test_what_cannot_be_reduced_is_searched_in_full() -> None:
    """A leads-to property is asked of both sides; the verdict is that without --reduce."""
    after = Side(Answered, "Answered")
    full, reduced = (compare(side("isis"), after, {"workload": (1, 0)}, reduce=r, **BRIEF) for r in (False, True))
    assert told(full) == told(reduced)
    assert not reduced.base.reduced and not reduced.edit.reduced
    assert sum("was searched in full" in w and "leads-to property" in w for w in reduced.warnings) == 2


def test_a_violation_that_only_the_reduced_search_reached_is_kept() -> None:
    """As broken, without a number of steps, since its run need not be a shortest one."""
    given: dict[str, Any] = {"workload": (1, 1)}
    found = compare_family(
        side("isis"), side("isis:NoTieBreak"), [given], asked=True, reduce=True, limits=Limits(max_states=260), **BRIEF
    )
    (row,) = found.looked
    assert found.verdict == "broken" and row.broken and all(steps is None for _, steps in row.broken)
    assert "shortest" not in next(text for line in first_screen(found) if "because" in (text := plain(line)))


def test_the_states_of_reduced_graphs_are_said_to_be_that() -> None:
    found = checker.compare("isis", "isis:Gathering", workload=(1, 1), reduce=True, events=0.0)
    (row,) = found.looked
    assert row.reduced == (True, True)
    screen = [plain(line) for line in first_screen(found)]
    assert any("states: 113 of a reduced graph → 216 of a reduced graph" in text for text in screen)
    assert "113 of a reduced graph" in comparison_markdown(found)


@pytest.mark.parametrize(
    ("how", "what"),
    [({"limits": Limits(max_depth=3)}, "--max-depth explores every state"), ({"engine": "interpreter"}, "--engine")],
)
def test_what_needs_every_state_is_refused(how: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what) as raised:
        compare(side("isis"), side("isis:NoTieBreak"), {"workload": (1, 1)}, reduce=True, **how)
    assert raised.value.remedy == "Leave out one of the two."

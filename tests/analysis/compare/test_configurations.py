"""The configurations in which two models are compared: which, in what order, and what is said of each."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from checker.analysis.compare import several
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.analysis.compare.stated import in_order, stated
from checker.analysis.sweep.choices import choices_of, combinations
from checker.language import Int, action, const, invariant, require, rule, var
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.models.isis import DeliverAnyFinal, Isis
from checker.models.s_toto import SToTo
from checker.report.compare.configurations import label, not_looked_at, verdict_text
from checker.report.compare.first_screen import first_screen
from checker.report.compare.markdown import comparison_markdown
from checker.report.lines import plain
from checker.results.configurations import FamilyComparison, Looked, Passed
from tests.analysis.compare import lock


class Climb(Model):
    """Up to two, step by step."""

    k = const(1)
    n = var(Int(0, 3), 0)
    outcome = ("n",)

    @rule
    def top(self) -> int:
        return 2

    @rule
    def stride(self) -> int:
        return 1

    @action
    def up(self):  # type: ignore[no-untyped-def]
        require(self.n < self.top())
        self.n = min(self.n + self.stride(), self.top())

    @invariant
    def low(self) -> bool:
        return self.n < 4


class Leap(Climb):
    """With k = 1 the same end in one step; with k = 2 another end."""

    @rule
    def top(self) -> int:
        return 2 if self.k == 1 else 3

    @rule
    def stride(self) -> int:
        return 2 if self.k == 1 else 1


class Faulty(Climb):
    """Violates a property with k = 1."""

    @invariant
    def odd(self) -> bool:
        return self.n != 1 or self.k > 1


class Fault(Faulty):
    """EDIT: climbs too high."""

    @rule
    def top(self) -> int:
        return 3

    @invariant
    def low(self) -> bool:
        return self.n < 3


class Higher(Faulty):
    """The base, with the property of the edit."""

    @invariant
    def low(self) -> bool:
        return self.n < 3


class Once(Model):
    """One step, whatever the workload."""

    workload = const((1,))
    n = var(Int(0, 2), 0)

    @rule
    def most(self) -> int:
        return 1

    @action
    def up(self):  # type: ignore[no-untyped-def]
        require(self.n < self.most())
        self.n += 1

    @invariant
    def low(self) -> bool:
        return self.n < 2


class Twice(Once):
    """EDIT: breaks the property with every workload."""

    @rule
    def most(self) -> int:
        return 2


class TwiceAlone(Once):
    """EDIT: breaks the property with one message, and keeps it with more."""

    @rule
    def most(self) -> int:
        return 2 if sum(self.workload) == 1 else 1


class Never(Once):
    """EDIT: does nothing."""

    @rule
    def most(self) -> int:
        return 0


def family(after: type = lock.NoGuard, wanted: str = "processes=2..3", **options: float) -> FamilyComparison:
    """The lock and an edit of it in the interpreter, without the rules."""
    sides = Side(lock.Lock, "Lock"), Side(after, after.__name__)
    return compare_family(
        *sides, combinations(choices_of([wanted])), engine="interpreter", rule_seconds=0, asked=True, **options
    )


def test_base_and_edit_state_the_configurations_and_the_smallest_comes_first() -> None:
    """Fewer processes and messages, then smaller numbers; equal ones once, and the defaults are among them."""
    order, refused = in_order(Side(SToTo, "a"), Side(SToTo, "b"), stated(SToTo, SToTo))
    found = [(c.definitions[1].constants["workload"], c.definitions[1].constants["phi"]) for c in order]
    assert found == [((2, 1, 1), 1), ((2, 1, 1), 2), ((1, 1, 1, 1), 1), ((1, 1, 1, 1), 2)]
    assert refused == []
    order, _ = in_order(Side(Isis, "a"), Side(DeliverAnyFinal, "b"), stated(Isis, DeliverAnyFinal))
    given = [c.definitions[1].constants for c in order]
    assert len({str(dict(g)) for g in given}) == len(given) >= 2
    sizes = [len(g["workload"]) + sum(g["workload"]) + g["crashes"] + g["duplicates"] for g in given]
    assert sizes == sorted(sizes)


def test_a_configuration_that_a_model_refuses_is_named_with_the_reason() -> None:
    """And if both models accept none, the reason is the error."""
    sides = Side(SToTo, "a"), Side(SToTo, "b")
    order, refused = in_order(*sides, [{"workload": (1, 1)}, {"workload": (1, 1), "phi": 3}])
    assert len(order) == 1 and [r.given["phi"] for r in refused] == [3]
    assert "a threshold for 2 processors" in refused[0].why
    with pytest.raises(UsageError, match="a threshold for 2 processors"):
        in_order(*sides, [{"workload": (1, 1), "phi": 3}])


def test_the_first_configuration_that_breaks_a_property_is_shown() -> None:
    """Each has a row with what breaks, in how many steps."""
    found = family()
    assert [row.verdict for row in found.looked] == ["broken", "broken"]
    assert found.place == 0 and found.shown.constants["processes"] == 2
    assert [row.broken for row in found.looked] == [(("exclusion", 2),)] * 2
    assert (found.verdict, found.exit_code) == ("broken", 1)


@pytest.mark.parametrize(("values", "place"), [("k=1..3", 1), ("k=1", 0)])
def test_a_configuration_is_shown_in_which_the_base_violates_nothing(values: str, place: int) -> None:
    """If there is one; it is shown once, and the last line speaks of it."""
    wanted, told = combinations(choices_of([values])), list[int]()
    found = compare_family(
        *(Side(Higher, "a"), Side(Fault, "b"), wanted),
        engine="interpreter",
        rule_seconds=0,
        breaking=lambda pair: told.append(pair.edit.report.constants["k"]),
    )
    assert found.looked[0].broken and found.place == place and told == [place + 1]
    assert place == 0 or verdict_text(found).endswith("(k=2)")


def test_where_no_property_breaks_the_smallest_configuration_with_a_difference_is_shown() -> None:
    """A step of one side alone is one, though a larger configuration has another outcome, which is known before."""
    wanted = combinations(choices_of(["k=1..2"]))
    found = compare_family(Side(Climb, "a"), Side(Leap, "b"), wanted, engine="interpreter", rule_seconds=0)
    first, second = found.looked
    assert (first.new, first.gone, first.new_step is not None) == (0, 0, True)
    assert (second.new, second.gone) == (1, 1)
    assert [row.verdict for row in found.looked] == ["changed", "changed"]
    assert found.place == 0 and found.shown.constants["k"] == 1 and found.shown.steps_differ
    assert found.exit_code == 0


def test_without_a_difference_the_verdict_names_what_was_compared() -> None:
    """Verdicts and outcomes everywhere, steps where they were walked to the end.  The larger one is shown."""
    found = family(lock.Same)
    assert (found.verdict, found.exit_code, found.place) == ("same", 0, 1)
    assert verdict_text(found) == "in 2 configurations (verdicts, outcomes, steps)"
    assert verdict_text(family(lock.Same, step_seconds=0)) == "in 2 configurations (verdicts, outcomes)"


def test_what_the_time_did_not_suffice_for_is_no_difference_of_nothing() -> None:
    """It is passed over; where it was asked for, the question stays open, where a model states it, it does not."""
    found = family(lock.Same, within=0)
    assert [row.given["processes"] for row in found.looked] == [2]
    assert found.passed == (Passed({"processes": 3}, "the time was over", True),)
    assert not_looked_at(found) == "processes=3 (the time was over)"
    assert (found.verdict, found.exit_code) == ("inconclusive", 4)
    assert evolve(found, asked=False).exit_code == 0
    assert verdict_text(evolve(found, asked=False)).endswith(
        "; 1 not looked at; checker compare Lock Same -D processes=3"
    )


def test_the_command_for_what_was_not_looked_at_names_these_configurations() -> None:
    """All of them, if they differ in one constant; else the first.  Time does not help a refused configuration."""
    found, late = evolve(family(lock.Same), asked=False), "the time was over after 5 states"
    compare = "checker compare Lock Same"

    def ending(*given: dict[str, Any], why: str = late) -> str:
        passed = tuple(Passed(one, why, why == late) for one in given)
        return verdict_text(evolve(found, passed=passed)).partition("steps); ")[2]

    assert ending({"workload": (2,)}, {"workload": (1, 1)}) == f"2 not looked at: {compare} -D 'workload=2|1,1'"
    both = {"workload": (2,), "crashes": 1}
    assert ending(both) == f"1 not looked at; {compare} -D workload=2 -D crashes=1"
    assert ending(both, {}) == f"2 not looked at; for the first {compare} -D workload=2 -D crashes=1"
    assert ending({}) == f"1 not looked at; {compare} --here"
    assert ending({"processes": 9}, why="too many processes") == "1 not looked at"


def test_a_configuration_with_one_process_gives_way_to_a_larger_one_that_differs_in_the_same_way() -> None:
    """A warning says that nobody can disagree there; what differs in another way stays."""
    told = list[int]()

    def found(*values: str, after: type[Model] = Twice) -> FamilyComparison:
        return compare_family(
            *(Side(Once, "a"), Side(after, "b"), combinations(choices_of(values))),
            engine="interpreter",
            rule_seconds=0,
            breaking=lambda pair: told.append(sum(pair.edit.report.constants["workload"])),
        )

    assert (found("workload=1|2|3").place, told) == (1, [2])
    assert (found("workload=1").place, told) == (0, [2, 1])
    other = found("workload=1|2", after=TwiceAlone)
    assert [row.verdict for row in other.looked] == ["broken", "same"] and other.place == 0
    assert found("workload=1|2", after=Never).place == 1  # a step that is gone


def test_a_list_of_one_number_is_written_as_it_is_typed() -> None:
    """Without a comma behind it; a list of lists keeps it."""
    given = {"workload": (2,), "edges": ((0, 1),), "crashes": 0}
    assert label(given) == "workload=2 edges=(0,1), crashes=0"


def test_the_first_screen_has_twenty_four_lines_however_many_configurations_differ() -> None:
    """The verdict and what breaks stay; without a terminal every line is there, unwrapped."""
    found = family()
    row = found.looked[0]
    rows = (row, *(evolve(row, given={"workload": (n,) * 9}) for n in range(40)))
    late = tuple(Passed({"workload": (n,) * 30}, "the time was over", True) for n in range(9))
    many = evolve(found, looked=rows, passed=late)
    for width in (40, 80, 132):
        lines = [plain(line) for line in first_screen(many, width)]
        assert len(lines) <= 23 and max(map(len, lines)) <= width
        assert any(line.startswith("  breaks     exclusion") for line in lines)
        assert any(line.startswith("BROKEN") for line in lines)
    assert sum("workload=" in plain(line) for line in first_screen(many)) >= 41


def test_markdown_stays_below_ten_thousand_characters_and_says_what_it_leaves_out() -> None:
    """The verdict and the configurations stand first."""
    found = family()
    rows = tuple(evolve(found.looked[0], given={"workload": (n,) * 9}) for n in range(200))
    text = comparison_markdown(evolve(found, looked=rows, shown=evolve(found.shown, warnings=("a warning " * 30,) * 3)))
    assert len(text) < 10_000 and text.startswith("## The edit breaks a property: Lock against NoGuard")
    assert "### exclusion violated at step 2 of 2" in text


def test_markdown_stays_below_its_limit_whatever_is_long() -> None:
    """Warnings, names, constants, configurations: what was not looked at stands before the table of those that were."""
    found = family()
    rows = tuple(evolve(found.looked[0], given={"workload": (n,) * 9}) for n in range(200))
    late = tuple(Passed({"workload": (n,) * 30}, "the time was over", True) for n in range(90))
    warnings = tuple(f"edit: nothing reads the attribute number_{n}" for n in range(150))
    shown = evolve(found.shown, warnings=warnings, before="base " * 300, constants={"many": "1" * 5_000})
    text = comparison_markdown(evolve(found, looked=rows, passed=late, shown=shown))
    assert len(text) < 10_000
    told = text.count("nothing reads the attribute")
    assert told > 10 and f"> - and {150 - told} more\n" in text
    assert text.index("Not looked at: workload=") < text.index("| configuration |")
    alone = comparison_markdown(evolve(found, shown=evolve(found.shown, warnings=warnings[:3])))
    assert all(f"number\\_{n}\n" in alone for n in range(3)) and " more" not in alone.partition("- **breaks")[0]


@pytest.mark.parametrize("field", ["new", "gone"])
def test_an_outcome_of_one_side_alone_is_a_change(field: str) -> None:
    """So is a sequence of events; a number of zero is none."""
    row = Looked({}, (1, 1), new=0, gone=0)
    assert row.verdict == "same"
    assert evolve(row, **{field: 1}).verdict == "changed"
    assert evolve(row, added=("deliver(p1, m1)",)).verdict == "changed"
    assert evolve(row, unknown=("P",)).verdict == "inconclusive"


def test_the_time_ends_soon_after_a_property_is_found_broken_unless_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That is the answer; what is not looked at is named.  Where nothing breaks, the time stays what it is."""
    monkeypatch.setattr(several, "ONCE_BROKEN", 0.0)
    found = family(within=None)
    assert found.verdict == "broken" and len(found.looked) == 1
    assert [passed.why for passed in found.passed] == [several.LATE]
    assert len(family(within=100.0).looked) == 2 == len(family(lock.Same, within=None).looked)


def test_progress_says_what_breaks_before_the_comparison_ends() -> None:
    """With the configuration, as soon as it is known."""
    said: list[str] = []
    family(announce=said.append)
    later = next(text for text in said if text.startswith("breaks "))
    assert later.startswith("breaks exclusion with processes=2; configuration 2 of 2 (processes=3): ")

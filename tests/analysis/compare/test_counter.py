"""Comparisons that are easily wrong: rules that nobody asks, or somebody asks otherwise; types, annotations and lines
that an edit changes."""

from __future__ import annotations

import pytest

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.family import compare_family
from checker.analysis.compare.rules import compare_rules
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.report.compare.family_table import family_lines
from checker.report.compare.steps import step_lines
from checker.report.lines import plain
from checker.results.comparison import Comparison
from checker.results.rules import RuleComparison
from tests.analysis.compare import counter


def rules(edit: type[Model], base: type[Model] = counter.Counter) -> dict[str, RuleComparison]:
    """All rules that may differ."""
    sides = define(base), define(edit)
    return {r.name: r for r in compare_rules(*sides, differences(*sides, ("a", "b")), 30.0)}


def compared(base: type[Model], edit: type[Model]) -> Comparison:
    """A comparison without the rules."""
    return compare(Side(base, "a"), Side(edit, "b"), engine="interpreter", rule_seconds=0)


# Rules


def test_a_rule_that_nobody_asks_is_compared() -> None:
    """Its text differs, so `checker rules` must not say that no rule does."""
    assert {n: r.relation for n, r in rules(counter.OtherUnasked).items()} == {"unasked": "weaker"}
    assert compare_family(Side(counter.Counter, "a"), Side(counter.OtherUnasked, "b"), {}, []).exit_code == 1


def test_a_rule_is_compared_for_the_arguments_of_every_call() -> None:
    """One action asks for 0 and 1, where nothing differs; the other for 3."""
    found = rules(counter.ForThree)["may"]
    assert found.relation == "weaker" and found.examples[0].arguments["k"] == 3


def test_a_rule_is_compared_for_the_calls_of_the_base_where_the_edit_has_none() -> None:
    """Nobody asks the edit's."""
    assert rules(counter.NotAsked)["may"].relation == "stronger"
    assert rules(counter.Counter, counter.NotAsked)["may"].relation == "weaker"


def test_a_run_leads_to_a_state_in_which_any_of_the_calls_differs() -> None:
    """Asked for 3, the two differ from the start."""
    found = compare(Side(counter.Counter, "a"), Side(counter.ForThree, "b"), step_seconds=0)
    assert found.rules[0].reached is not None and not found.rules[0].reached.steps


def test_a_rule_that_reads_a_variable_of_another_type_is_compared_where_both_can_be() -> None:
    """From 0 to 3 the two are the same where only the type differs, and so `checker rules` says, with the states it
    speaks of."""
    note = "compared in the states that both have: n has another type"
    assert {n: (r.relation, r.note) for n, r in rules(counter.Wider).items()} == {
        "may": ("equivalent", note),
        "unasked": ("equivalent", note),
    }
    assert rules(counter.WiderAndOther)["may"].relation == "weaker"
    family = compare_family(Side(counter.Counter, "a"), Side(counter.Wider, "b"), {}, [])
    assert family.exit_code == 0 and f"may: {note}" in [plain(line) for line in family_lines(family)]


def test_a_rule_that_reads_a_variable_of_types_with_nothing_in_common_is_refused() -> None:
    """There is no state to compare it in."""
    with pytest.raises(UsageError, match="n, which it reads, has another type, and no value in common"):
        compare_family(Side(counter.Counter, "a"), Side(counter.Apart, "b"), {}, [])


# Source


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (counter.OtherRange, ("parameter", "step(k)", "Int(0, 1)", "Int(0, 0)")),
        (
            counter.Remembering,
            (
                "variable",
                "count",
                "Map[Process, Int(0, 1)], starts as 0, reset when its process crashes",
                "Map[Process, Int(0, 1)], starts as 0, kept when its process crashes",
            ),
        ),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_is_tried_and_what_a_crash_resets_is_a_difference(edit: type[Model], told: tuple[str, ...]) -> None:
    """Neither is in the text of a method, nor in the type of a variable."""
    found = differences(define(edit.__mro__[1]), define(edit), ("a", "b"))
    assert [(d.kind, d.name, d.before, d.after) for d in found] == [told]


# Verdicts and causes


def test_an_error_of_a_property_is_not_laid_to_the_step_before_it() -> None:
    """The base takes the step as well."""
    found = compared(counter.Counter, counter.FailingProperty)
    broken = next(p for p in found.properties if p.change == "broken")
    assert broken.trace is not None and [s.cause for s in broken.trace.steps] == [False]
    assert broken.trace.steps[-1].note == "this run is also a run of Counter"


def test_a_variable_that_has_another_type_in_the_edit_is_followed_by_its_values() -> None:
    """The base never starts without a color, so its runs cannot be compared with those of the edit."""
    found = compared(counter.Counter, counter.PerhapsNoColor)
    assert found.properties[0].change == "" and found.outcomes is not None
    assert compared(counter.PerhapsNoColor, counter.Counter).exit_code == 0


def test_a_failure_in_another_line_is_the_same_failure() -> None:
    """An override that repeats the statement breaks nothing; one with another statement does."""
    again = compared(counter.Failing, counter.FailingAgain)
    assert [(p.change, p.note.startswith("the same statement as that of out of range")) for p in again.properties] == [
        ("", True)
    ]
    assert again.exit_code == 0
    elsewhere = compared(counter.Failing, counter.FailingElsewhere)
    assert sorted(p.change for p in elsewhere.properties) == ["broken", "repaired"]


@pytest.mark.parametrize("engine", ["interpreter", "native"])
def test_a_step_that_a_constraint_cuts_off_leads_nowhere_else(engine: str) -> None:
    """Both can take the step, to the same state, which the edit leaves out."""
    found = compare(Side(counter.Counter, "a"), Side(counter.Bounded, "b"), engine=engine, rule_seconds=0).steps
    assert (
        found is not None
        and found.removed is not None
        and (found.elsewhere, found.cut) == ((False, False), (False, True))
    )
    assert ("in the edit a constraint cuts off the state to which it leads") in "".join(
        plain(line) for line in step_lines(found)
    )

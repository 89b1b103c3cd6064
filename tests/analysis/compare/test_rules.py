"""Rules compared symbolically: the same relation as going through every state of the types, and examples that are
right."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from checker.analysis.check import check
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.family import compare_family
from checker.analysis.compare.rules import compare_rules
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.frontend.lower import lower
from checker.ir.evaluate.environment import Environment, Failure
from checker.ir.evaluate.statements import call
from checker.ir.model import Model as Lowered
from checker.ir.values import Raw, values
from checker.language import Model, action, require
from checker.language.define import define
from checker.models.s_toto import SToTo
from checker.models.sequencer import OutsideTheGroup, StartAtMinusOne
from checker.models.toto import ToTo
from checker.report.compare.family_table import family_lines
from checker.report.compare.rules import rule_lines
from checker.report.lines import plain
from checker.results.rules import RuleComparison
from checker.search.limits import Limits
from tests.analysis.compare import lock


def compared(before: type[Model], after: type[Model], **constants: Any) -> dict[str, RuleComparison]:
    """All rules that may differ."""
    base, edit = define(before, constants), define(after, constants)
    return {r.name: r for r in compare_rules(base, edit, differences(base, edit, ("a", "b")), 30.0)}


def value(model: Lowered, name: str, state: dict[str, Raw], arguments: tuple[Raw, ...]) -> Raw:
    """What a rule gives in a state: its raw value, or "fails"."""
    known = {v.name: state[v.name] for v in model.variables}
    try:
        return call(Environment(model, known, known, call=call), model.function(name), list(arguments))
    except Failure:
        return "fails"


def relation_by_enumeration(before: Lowered, after: Lowered, name: str) -> tuple[str, bool]:
    """The relation of two truths over all states and arguments, and whether one fails where the other does not."""
    gained = lost = failing = False
    names = [v.name for v in before.variables]
    for raws in product(*(list(values(v.type)) for v in before.variables)):
        for arguments in product(*(list(values(p.type)) for p in before.function(name).parameters)):
            a, b = (value(m, name, dict(zip(names, raws)), arguments) for m in (before, after))
            if "fails" in (a, b):
                failing |= a != b
            else:
                gained, lost = gained or b > a, lost or a > b
    return {
        (False, False): "equivalent",
        (True, False): "weaker",
        (False, True): "stronger",
        (True, True): "incomparable",
    }[gained, lost], failing


@pytest.mark.parametrize(
    "edit",
    [lock.NoGuard, lock.FirstOnly, lock.Swapped, lock.Same, lock.Unsafe, lock.OneWorks],
    ids=lambda cls: cls.__name__,
)
@pytest.mark.parametrize("turned", [False, True], ids=["forth", "back"])
def test_the_relation_is_that_of_enumeration(edit: type[Model], turned: bool) -> None:
    """Every state of the lock's types, reachable or not, with every argument."""
    before, after = (edit, lock.Lock) if turned else (lock.Lock, edit)
    found = compared(before, after)["may_take"]
    relation, failing = relation_by_enumeration(lower(define(before)), lower(define(after)), "may_take")
    assert found.relation == relation
    assert bool(found.failures) == failing


def test_each_relation_occurs() -> None:
    """The edits of the lock cover all relations, so the test above is not idle."""
    found = {
        edit.__name__: compared(lock.Lock, edit)["may_take"].relation
        for edit in (lock.FirstOnly, lock.Swapped, lock.Same, lock.NoGuard)
    }
    assert found == {
        "FirstOnly": "stronger",
        "Swapped": "incomparable",
        "Same": "equivalent",
        "NoGuard": "incomparable",
    }
    assert compared(lock.FirstOnly, lock.Lock)["may_take"].relation == "weaker"


def test_an_example_tells_the_rules_apart_in_the_words_of_the_model() -> None:
    """p2 may take the free lock, and no longer may; all that need not be otherwise is empty."""
    found = compared(lock.Lock, lock.FirstOnly)["may_take"]
    assert [plain(line).strip() for line in rule_lines([found])] == [
        "may_take  stronger: holds only where it held before, and not everywhere there",
        "may_take(p2): true → false where",
        "everything is empty, 0, false or none",
    ]


def test_where_only_one_fails_is_told_apart() -> None:
    """Asking who holds a free lock fails."""
    found = compared(lock.Lock, lock.Unsafe)["may_take"]
    assert found.failures[0].fails == (False, True)
    assert found.failures[0].state["holder"] is None


def test_rules_that_call_nothing_that_differs_are_left_out() -> None:
    """The other rule of the lock is not compared."""
    assert set(compared(lock.Lock, lock.NoGuard)) == {"may_take"}
    assert compared(lock.Lock, lock.Repeated) == {}


@pytest.mark.parametrize(
    ("edit", "rule"),
    [(lock.OtherDerived, "below_half"), (lock.OtherType, "smaller"), (lock.OtherAttribute, "few")],
    ids=lambda x: getattr(x, "__name__", x),
)
def test_a_rule_is_compared_if_a_value_or_type_that_it_reads_is_edited(edit: type[Model], rule: str) -> None:
    """Its text is the same, its meaning is not: by the constants, as much as by what a rule calls."""
    found = compared(lock.Limited, edit)
    assert set(found) == {rule} and found[rule].relation in ("weaker", "stronger", "different")


def test_rules_of_an_edited_default_are_the_same_and_the_default_is_said_to_differ() -> None:
    """Both are asked with the value of the edit."""
    family = compare_family(Side(lock.Limited, "a"), Side(lock.OtherDefault, "b"), {}, [])
    assert family.exit_code == 0
    assert [plain(line) for line in family_lines(family)] == [
        "the default of limit is edited, 2 → 3: the rules of both are asked with the same value",
        "no rule differs: neither its text, nor what it calls, nor a value or type that it reads",
    ]


def test_a_differing_state_is_reached_by_a_shortest_run() -> None:
    """After one step the lock is taken: now the edit lets the other in."""
    found = compare(Side(lock.Lock, "Lock"), Side(lock.NoGuard, "NoGuard"))
    run = found.rules[0].reached
    assert run is not None
    assert [s.action for s in run.steps] == ["take"]


def test_a_difference_that_no_reachable_state_shows_is_said_to_be_none() -> None:
    """That nobody both is inside and has worked, the rule need not know."""
    found = compare(Side(lock.Lock, "Lock"), Side(lock.Cautious, "Cautious"))
    assert [(r.relation, r.note, r.reached) for r in found.rules] == [
        ("stronger", "in no state between steps that base or edit reaches", None)
    ]
    assert found.verdict == "same"


class Lingering(lock.Cautious):
    """EDIT: who gives the lock back stays inside, and has not worked."""

    @action
    def give(self, p):
        require(p in self.inside)
        self.holder = None


def test_a_difference_that_only_the_edit_reaches_is_said_with_its_steps() -> None:
    """The lock is free while p is inside: the base has no such state."""
    found = compare(Side(lock.Lock, "Lock"), Side(Lingering, "Lingering"))
    assert [(r.relation, r.note, r.reached) for r in found.rules] == [
        ("stronger", "in no state between steps that the base reaches, in one that the edit reaches in 2 steps", None)
    ]


def test_rules_without_annotations_speak_of_members_by_name() -> None:
    """Parameters and results of an enumeration, though nothing says so in the text."""
    lines = [plain(line).strip() for line in rule_lines(compared(lock.Door, lock.Stuck).values())]
    assert lines[1] == "after(shut): open → shut where"


# Early delivery


@pytest.mark.parametrize("processes", [3, 4, 5])
def test_the_tail_condition_of_toto_is_redundant_with_one_message_each(processes: int) -> None:
    """S-ToTo leaves a part of rule 1b out as redundant; what is delivered is the same in every state, though that part
    alone is not implied."""
    found = compared(SToTo, ToTo, workload=(1,) * processes)
    assert found["externally_stable"].relation == "stronger"
    assert found["eligible"].relation == "equivalent"


def test_the_redundancy_agrees_with_the_search() -> None:
    """The same outcomes and states of three processors."""
    a, b = (check(cls, cls.__name__, {"workload": (1, 1, 1)}) for cls in (SToTo, ToTo))
    assert (a.distinct, a.transitions, a.outcomes) == (b.distinct, b.transitions, b.outcomes)


def test_a_rule_that_reads_what_the_base_lacks_is_not_looked_for_in_its_states() -> None:
    """The edit asks its own counter: no state of the base has one."""
    found = compare(Side(lock.Lock, "Lock"), Side(lock.CountedRule, "CountedRule"))
    assert [(r.name, r.relation, r.reached) for r in found.rules] == [("may_take", "incomparable", None)]


def test_a_rule_that_only_properties_ask_for_is_compared_in_reachable_states_too() -> None:
    """Who is a destination matters to agreement and validity, not to the protocol: the first state shows it."""
    found = compare(Side(StartAtMinusOne, "a"), Side(OutsideTheGroup, "b"), {"workload": (1, 0)}, step_seconds=0)
    destination = next(r for r in found.rules if r.name == "destination")
    assert destination.relation == "stronger" and destination.reached is not None and not destination.reached.steps


def test_a_search_for_a_differing_state_that_was_cut_short_says_how_far_it_came() -> None:
    """That the guard differs somewhere is known; whether a run of more than one step comes there, not."""
    found = compare(Side(lock.Lock, "a"), Side(lock.Cautious, "b"), limits=Limits(max_depth=1))
    assert [(r.relation, r.note) for r in found.rules] == [("stronger", "in none of the first 3 states of the base")]
    assert "whether may_take differs in a reachable state (--rules)" in found.left_open

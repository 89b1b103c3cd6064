"""Three generals with oral messages: no rule of decision works, whatever it makes of the order and of what the peer
tells. Four generals: the tables of the lecture."""

from itertools import product
from typing import Any

import pytest

from checker.analysis.check import check
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.models.byzantine_generals import ByzantineGenerals, ThreeByTable

BROKEN = {"agreement", "integrity"}


def broken(cls: type, constants: dict[str, object]) -> set[str]:
    """The names of the properties that are violated."""
    report = check(cls, cls.__name__, constants, engine="interpreter", traces=False, stop_at_first=False)
    return {p.name for p in report.properties if p.verdict == "violated"}


@pytest.mark.parametrize("table", list(product((0, 1), repeat=4)))
def test_every_rule_for_three_generals_fails(table: tuple[int, ...]) -> None:
    """All sixteen functions of (ordered, told by the peer) break agreement or integrity with one traitor."""
    assert broken(ThreeByTable, {"table": table}) & BROKEN


@pytest.mark.parametrize("table", [(0, 0, 1, 1), (0, 1, 0, 1), (0, 0, 0, 1), (0, 1, 1, 1)])
def test_without_traitors_any_rule_that_respects_unanimity_works(table: tuple[int, ...]) -> None:
    """The traitor is what breaks these rules: with loyal generals both messages are the same."""
    assert not broken(ThreeByTable, {"table": table, "traitors": 0})


# The tables of the lecture for four generals: who is the traitor, what it says to whom (as a commander the order, as a
# lieutenant what it was told), and what the loyal
# lieutenants gather and decide. The commander's value is v where it is loyal.
TABLES = {
    "p4 tells u to p2 and w to p3": ("p4", {"p2": "u", "p3": "w"}, {"p2": ("vuv", "v"), "p3": ("vvw", "v")}),
    "p1 orders w to p3 alone": (
        "p1",
        {"p2": "v", "p3": "w", "p4": "v"},
        {"p2": ("vwv", "v"), "p3": ("vvw", "v"), "p4": ("wvv", "v")},
    ),
    "p1 orders three values": ("p1", {"p2": "v", "p3": "u", "p4": "w"}, {p: ("vuw", None) for p in ("p2", "p3", "p4")}),
}


def told(event: Any) -> tuple[str, str, str]:
    """Who says what to whom."""
    _, sender, receiver, message = event.arguments
    return str(sender), str(receiver), str(message.told)


@pytest.mark.parametrize(("traitor", "lies", "gathered"), TABLES.values(), ids=TABLES)
def test_four_generals_gather_and_decide_what_the_lecture_prints(
    traitor: str, lies: dict[str, str], gathered: dict[str, tuple[str, str | None]]
) -> None:
    """A run of the model for each table; what a lieutenant gathers is taken from the messages that were sent to it."""
    interpreter = Interpreter(define(ByzantineGenerals, {"values": 3}))
    model: Any = interpreter.model

    def starts(state: Any) -> bool:
        model.set_raw_state(state)
        return [str(p) for p in model.disloyal] == [traitor] and str(model.order) == "v"

    state = next(state for state in interpreter.initial() if starts(state))
    heard: dict[str, list[str]] = {p: [] for p in gathered}
    while steps := list(interpreter.steps(state)):
        taken = next(
            s for s in steps if all(a != traitor or lies.get(b, "v") == value for a, b, value in map(told, sends(s)))
        )
        for _, receiver, value in map(told, sends(taken)):
            heard.get(receiver, []).append(value)
        state = taken.after
    model.set_raw_state(state)
    decided = {str(p): None if model.decision[p] is None else str(model.decision[p]) for p in model.decided}
    assert {p: (sorted(heard[p]), decided[p]) for p in gathered} == {
        p: (sorted(values), verdict) for p, (values, verdict) in gathered.items()
    }


def sends(step: Any) -> list[Any]:
    """What is sent in a step."""
    return [event for event in step.events if event.name == "send"]

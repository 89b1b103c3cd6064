"""Messages and delays until a decision, of protocols that decide and do not deliver: `checker latency` measures
multicasts, so they are measured here."""

from __future__ import annotations

from typing import Any

import pytest

from checker.analysis.latency.measures import Messages, instrumented
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language import Int, Invariant, Map, chain, of, var
from checker.language.define import define
from checker.language.model import Model
from checker.language.properties import Property
from checker.models.byzantine_generals import ByzantineGenerals
from checker.models.consensus import Consensus
from checker.models.consensus_attempts import SmallestOfAll

LONGEST = 14


class Waiting(Invariant):
    """For each process one more than the longest chain of messages that had led to it when it decided, from the
    beginning of the run."""

    hops = chain(LONGEST)
    delay = var(Map[of("Process"), Int(0, LONGEST + 1)], 0)

    def on_send(self, p, q):  # type: ignore[no-untyped-def]
        self.hops[p] = max(self.hops[p], 1)

    def on_decide(self, p, v):  # type: ignore[no-untyped-def]
        self.delay[p] = self.hops[p]

    def holds(self) -> bool:
        return True


def measured(cls: type[Model], measure: type[Property], variable: str, **constants: Any) -> set[Any]:
    """The values of a variable of the measure where nothing can happen any more, over all runs."""
    definition = define(instrumented(cls, measure), constants, [measure.__name__])
    explored = explore(Request(definition))
    assert explored.complete and explored.packed is not None
    packed = explored.packed
    rows = packed.result.states()[packed.result.quiescent_indices]
    name = f"{measure.__name__}.{variable}"
    found = set()
    for row in {r.tobytes(): r for r in rows & packed.kernel.mask([name])}.values():
        value = packed.kernel.decode(row)[name]
        found.add(tuple(value) if isinstance(value, list) else value)
    return found


@pytest.mark.parametrize(("n", "traitors"), [(2, 0), (3, 0), (4, 0), (3, 1), (4, 1)])
def test_a_round_of_orders_and_a_round_of_telling_cost_a_square_of_messages(n: int, traitors: int) -> None:
    """OM(1): n - 1 orders and (n - 1)(n - 2) relays, whatever traitors say (to say nothing is a message without value
    here)."""
    assert measured(ByzantineGenerals, Messages, "count", processes=n, traitors=traitors) == {(n - 1) ** 2}


@pytest.mark.parametrize("n", [2, 3])
def test_waiting_for_all_costs_a_message_for_each_pair(n: int) -> None:
    """The attempt of one round: everybody tells everybody."""
    assert measured(SmallestOfAll, Messages, "count", proposals=(0,) * (n - 1) + (1,)) == {n * (n - 1)}


def test_one_value_proposed_by_all_is_decided_in_one_round_of_two_delays() -> None:
    """Estimates, then proposals; 2 n (n - 1) messages. With two values a round can be repeated for ever, so there is no
    greatest delay."""
    assert measured(Consensus, Waiting, "delay", proposals=(0, 0, 0)) == {(2 + 1,) * 3}
    assert measured(Consensus, Messages, "count", proposals=(0, 0, 0)) == {2 * 3 * 2}

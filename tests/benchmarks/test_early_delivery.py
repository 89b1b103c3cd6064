"""The early delivery benchmark: its rules are those of the models, and its published files say what it measures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.early_delivery import (
    SEEDS,
    WIDTHS,
    History,
    View,
    bits,
    configurations,
    deliveries,
    front,
    measure,
    random_history,
)
from benchmarks.early_delivery_page import page
from checker.models.g_toto import GToTo
from checker.models.gl_toto import GLToTo
from checker.models.s_toto import SToTo
from checker.models.toto import ToTo
from checker.models.wait_for_all import WaitForAll

MODELS: dict[str, type[Any]] = {
    "wait_for_all": WaitForAll,
    "toto": ToTo,
    "s_toto": SToTo,
    "g_toto": GToTo,
    "gl_toto": GLToTo,
}
MESSAGES = 8  # a model object walks sets of no more identities in order
FILES = Path(__file__).resolve().parents[2] / "benchmarks"


class Beside:
    """A model object that is shown what a processor of a history inserts."""

    def __init__(self, history: History, name: str, phi: int) -> None:
        counts = [history.senders.count(q) for q in range(history.processors)]
        constants = {} if name == "wait_for_all" else {"phi": phi}
        self.history, self.model = history, MODELS[name](workload=tuple(counts), **constants)
        seen = [0] * history.processors
        self.names = []
        for q in history.senders:  # messages of one sender are inserted in the order in which they were sent
            self.names.append(self.model.Message[sum(counts[:q]) + seen[q]])
            seen[q] += 1
        for m, past in zip(self.names, history.pasts):
            self.model.past[m] = {self.names[i] for i in bits(past)}

    def released(self) -> Iterator[list[Any]]:
        """The deliveries after each insertion."""
        p = self.model.Process[0]
        for m in self.names:
            before = len(self.model.delivered[p])
            self.model.release(p, m)
            yield list(self.model.delivered[p])[before:]


def cases(seeds: range) -> Iterator[tuple[str, int, int, float, int]]:
    for n in (3, 4, 5):
        for width in (0.1, 0.5, 2.0):
            for seed in seeds:
                yield from (
                    (name, phi, n, width, seed)
                    for name in MODELS
                    for phi in (
                        range(n // 2 + n % 2, n // 2 + n % 2 + 1)
                        if name in ("toto", "s_toto")
                        else range(1, 2 if name == "wait_for_all" else n)  # which has no threshold
                    )
                )


@pytest.mark.parametrize("seeds", [range(3), pytest.param(range(3, 8), marks=pytest.mark.thorough)])
def test_the_rules_deliver_what_the_models_deliver_after_every_insertion(seeds: range) -> None:
    """On random graphs of three to five processors, narrow and wide, for every rule and threshold; many of them with
    early deliveries."""
    early = 0
    for name, phi, n, width, seed in cases(seeds):
        history = random_history(n, MESSAGES, width, seed)
        beside = Beside(history, name, phi)
        mine: list[list[Any]] = [[] for _ in history.senders]
        for d in deliveries(history, name, phi):
            mine[d.insertion].append(beside.names[d.message])
            early += d.how != "default"
        theirs = list(beside.released())
        assert [sorted(step, key=repr) for step in mine] == [sorted(step, key=repr) for step in theirs], (
            name,
            phi,
            n,
            width,
            seed,
        )
    assert early > 40 * len(seeds)


def test_the_scan_of_gl_toto_reaches_what_the_model_reaches() -> None:
    """Graph by graph, without any activation in between."""
    found = 0
    for seed in range(30):
        history = random_history(4, MESSAGES, 1.0, seed)
        beside, view = Beside(history, "gl_toto", 2), View(history)
        p = beside.model.Process[0]
        for i, m in enumerate(beside.names):
            view.graph |= 1 << i
            beside.model.graph[p].add(m)
            beside.model.seen[p].add(m)
            reached = {beside.names[j] for j in front(view.ballot(), 2)}
            assert reached == set(beside.model.front(p))
            found += len(reached)
    assert found > 20


def test_a_past_is_closed_under_causality_and_comes_before() -> None:
    """What a random history says is a causality graph, in an order in which it can be inserted."""
    history = random_history(5, 60, 0.5, 7)
    for i, past in enumerate(history.pasts):
        assert past >> i == 0
        assert all(history.pasts[j] & ~past == 0 for j in bits(past))


def test_without_the_second_condition_most_messages_are_earlier_but_some_are_later() -> None:
    """A candidate left out of an early delivery has to gather votes anew; ToTo, which waits, may deliver it with the
    others."""
    earlier = later = 0
    for seed in range(1, 7):
        history = random_history(8, 150, 0.5, seed)
        toto, simple = ({d.message: d.insertion for d in deliveries(history, name, 4)} for name in ("toto", "s_toto"))
        both = toto.keys() & simple.keys()
        earlier += sum(simple[m] < toto[m] for m in both)
        later += sum(simple[m] > toto[m] for m in both)
    assert earlier > later > 0


def test_for_half_of_the_processors_the_generalized_rules_end_as_the_simplified_ones() -> None:
    """Section 4: when phi is large, G-ToTo reduces to S-ToTo; it does so for phi = n/2 as well."""
    for seed in (1, 2):
        history = random_history(8, 150, 0.5, seed)
        assert list(deliveries(history, "g_toto", 4)) == list(deliveries(history, "s_toto", 4))


def test_the_published_figures_are_those_of_the_program() -> None:
    """One width measured anew; the page is made from the data."""
    data = json.loads((FILES / "early_delivery.json").read_text())
    assert (FILES / "early_delivery.md").read_text() == page(data)
    assert data["seeds"] == list(SEEDS)
    anew = measure(WIDTHS[-3], [c for c in configurations() if c[0] in ("toto", "s_toto")])
    stored = {(m["rule"], m["phi"]): m for m in data["measures"] if m["width"] == WIDTHS[-3]}
    assert [(m.early, m.tail, m.votes, m.later) for m in anew] == [
        tuple(stored[m.rule, m.phi][k] for k in ("early", "tail", "votes", "later")) for m in anew
    ]


@pytest.mark.parametrize("width", [0.01, 0.05])
def test_narrow_graphs_need_few_more_than_a_majority(width: float) -> None:
    """The paper's testbed: 5.12 of eight processors on average."""
    found = measure(width, [("s_toto", 4)], seeds=(1,), messages=400)[0]
    assert found.early == 1.0
    assert 5.0 <= found.tail < 6.0

"""The tail condition of ToTo's early rule: redundant for some thresholds only, and the runs that show it.

Johnson and Maugis (1994, Section 3) leave the condition out of S-ToTo as redundant.  Read as `Ntail(s) >= n - phi` for
every source s, it is so with one message per processor for phi >= n - 2, and for no smaller threshold from 5 processors
on.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from checker.analysis.compare.family import compare_family
from checker.analysis.compare.side import Side
from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frontend.lower import lower
from checker.ir.evaluate.environment import Environment
from checker.ir.evaluate.statements import call
from checker.ir.model import Model
from checker.ir.values import zero
from checker.language.define import define
from checker.models.s_toto import SToTo
from checker.models.toto import ToTo
from checker.replay.plain import plain, plain_raw
from checker.results.rules import RuleComparison

CAUSAL = "all(x not in past[x] for x in Message) and all(past[y] <= past[x] for x in Message for y in past[x])"


def eligible(processes: int, phi: int) -> RuleComparison:
    """What may be delivered, compared over all causal pasts of one message each."""
    each = [("workload", ((1,) * processes,)), ("phi", (phi,))]
    family = compare_family(Side(SToTo, "s_toto"), Side(ToTo, "toto"), {}, each, assuming=CAUSAL)
    return next(r for r in family.members[0].rules if r.name == "eligible")


@pytest.mark.parametrize(
    ("processes", "phi", "relation"),
    [
        pytest.param(n, phi, "equivalent" if phi >= n - 2 else "different", marks=pytest.mark.thorough if n > 5 else ())
        for n, phi in ((4, 2), (5, 2), (5, 3), (6, 3), (6, 4))
    ],
)
def test_the_condition_is_redundant_exactly_from_n_minus_2_on(processes: int, phi: int, relation: str) -> None:
    """On both sides of the threshold."""
    assert eligible(processes, phi).relation == relation


class Play:
    """A run of one protocol, step by step by name."""

    def __init__(self, cls: type, processes: int, phi: int) -> None:
        self.interpreter = Interpreter(define(cls, {"workload": (1,) * processes, "phi": phi}))
        self.state: Raw = self.interpreter.initial()[0]

    def take(self, action: str, *arguments: str) -> None:
        """The one enabled step with these arguments."""
        step = next(
            s
            for s in self.interpreter.steps(self.state)
            if s.action.name == action and self._arguments(s)[: len(arguments)] == arguments
        )
        assert step.after is not None
        self.state = step.after

    def _arguments(self, step: Step) -> tuple[Any, ...]:
        return tuple(plain(v) for _, v in step.arguments)

    def value(self, variable: str) -> Any:
        """The plain value of a variable now."""
        names = [v.name for v in self.interpreter.definition.variables]
        place = names.index(variable)
        return plain_raw(self.interpreter.definition.variables[place].domain, self.state[place])


def schedule(processes: int) -> Iterator[tuple[str, ...]]:
    """Steps that lead the last processor to the state that tells the rules apart, but for its last message.

    m1, m2 and m3 follow nothing; m4 to the last but one follow m3; the last follows m2 and m3.  So m3 has the votes of
    all but m1 and m2, m2 has its own and the last one's, and the tail of m2 is one processor.
    """
    last = f"p{processes}"
    yield from (("multicast", "p1"), ("multicast", "p2"), ("multicast", "p3"))
    for i in range(4, processes):
        yield from (("insert", f"p{i}", "p3"), ("multicast", f"p{i}"))
    yield from (
        ("insert", last, "p2"),
        ("insert", last, "p3"),
        ("multicast", last),
        ("insert", last, last),
        ("insert", last, "p1"),
    )
    yield from (("insert", last, f"p{i}") for i in range(4, processes))


@pytest.mark.parametrize("processes", [5, 6, 7])
def test_a_run_in_which_the_two_rules_deliver_differently(processes: int) -> None:
    """With phi = n - 3 the state that tells the rules apart is reached: for seven processors that is more than n/2."""
    phi, last = processes - 3, f"p{processes}"
    runs = [Play(cls, processes, phi) for cls in (SToTo, ToTo)]
    steps = list(schedule(processes))
    for step in steps[:-1]:
        for run in runs:
            run.take(*step)
        assert runs[0].state == runs[1].state
        assert runs[0].value("delivered")[last] == ()
    for run in runs:
        run.take(*steps[-1])
    simplified, full = (run.value("delivered")[last] for run in runs)
    assert simplified == ("m2.1", "m3.1")
    assert full[:3] == ("m1.1", "m2.1", "m3.1")


@pytest.mark.parametrize(
    ("processes", "phi", "draws"),
    [(4, 2, 50), *(pytest.param(*at, marks=pytest.mark.thorough) for at in ((4, 2, 150), (5, 3, 150)))],
)
def test_random_states_agree_with_the_proof(processes: int, phi: int, draws: int) -> None:
    """Where z3 says that the rules deliver the same, they do so in every state drawn: pasts are drawn along an order,
    graphs at random."""
    models = [lower(define(cls, {"workload": (1,) * processes, "phi": phi})) for cls in (SToTo, ToTo)]
    random, delivering = Random(processes), 0
    for _ in range(draws):
        past: list[frozenset[int]] = []
        for m in range(processes):
            direct = {x for x in range(m) if random.random() < 0.4}
            past.append(frozenset(direct.union(*(past[x] for x in direct))))
        graph = tuple(frozenset(m for m in range(processes) if random.random() < 0.8) for _ in range(processes))
        found = [delivered_by(model, tuple(past), graph) for model in models]
        assert found[0] == found[1]
        delivering += len(found[0]) > 0
    assert delivering > 10


def delivered_by(model: Model, past: tuple[Raw, ...], graph: tuple[Raw, ...]) -> Raw:
    """What the first processor may deliver, by the evaluator."""
    state = {v.name: zero(v.type) for v in model.variables} | {"past": past, "graph": graph}
    return call(Environment(model, state, state, call=call), model.function("eligible"), [0])

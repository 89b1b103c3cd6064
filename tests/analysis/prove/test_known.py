"""What the base classes of a model make true is proved of the model first, and never taken for granted."""

from __future__ import annotations

import pytest
from attrs import evolve

from checker.analysis.prove.known import candidates, with_known
from checker.analysis.prove.prove import prove
from checker.backends.smt.system import System
from checker.frontend.lower import lower
from checker.ir.evaluate.model import Evaluator
from checker.language import Map, Network, Process, Set, action, on, require, var
from checker.language.define import define
from checker.language.model import Model
from checker.language.multicast import Message, Multicast
from checker.models.causal_vector_clock import CausalVectorClock
from checker.properties.multicast import NoCreation


class Plain(Multicast):
    """Deliver what arrives."""

    net = var(Network[Process, Message])
    seen = var(Map[Process, Set[Message]])

    def send(self, p, m):
        self.net.multicast(p, m)

    @on(net)
    def receive(self, p, q, m):
        self.seen[p].add(m)
        self.deliver(p, m)

    properties = [NoCreation]


class Forger(Plain):
    """EDIT: the second process has a message of its own before it multicasts it."""

    @action
    def forge(self, p: Process):
        require(p == self.Process[1])
        self.seen[p].add(self.Message[1])


class Ghost(Plain):
    """EDIT: what a crashed process has seen is changed by others."""

    def receive(self, p, q, m):
        self.seen[q].add(m)
        self.deliver(p, m)


def facts(cls: type[Model], **constants: object) -> list[str]:
    """What is proved of a class."""
    definition = define(cls, constants)
    model = lower(definition, {"net": 4}, any_state=True)
    return with_known(definition, model, System(model))[2]


BUDGET = "at most 1 of the processes crashes"
START = "as at the start for a crashed process"
WORK = "no process multicasts more than its workload"
SENT = "without messages that were not multicast"


@pytest.mark.parametrize(
    ("cls", "crashes", "expected"),
    [
        (Plain, 0, ["no process crashes", WORK, f"{SENT}: delivered, net, seen"]),
        (Plain, 1, [BUDGET, f"{START}: seen", WORK, f"{SENT}: delivered, net, seen"]),
        (Forger, 0, ["no process crashes", WORK, f"{SENT}: delivered, net"]),
        (Ghost, 1, [BUDGET, WORK, f"{SENT}: delivered, net, seen"]),
    ],
)
def test_what_a_model_breaks_is_not_known_of_it(cls: type[Model], crashes: int, expected: list[str]) -> None:
    """The others stay: each is proved with the help of those that are left."""
    found = facts(cls, workload=(1, 1), crashes=crashes)
    assert [
        f"{text}: {', '.join(sorted(names.split(', ')))}" if names else text for text, _, names in map(_parts, found)
    ] == (expected)


def _parts(fact: str) -> tuple[str, str, str]:
    return fact.partition(": ")


@pytest.mark.parametrize(
    "cls", [Plain, Forger, Ghost, pytest.param(CausalVectorClock, marks=pytest.mark.thorough)], ids=lambda c: c.__name__
)
def test_what_is_known_is_true_in_every_reachable_state(cls: type[Model]) -> None:
    """The evaluator executes the functions in the states of a search of its own."""
    definition = define(cls, {"workload": (1, 1), "crashes": 1})
    model = lower(definition, {v.name: 4 for v in definition.variables if v.network is not None}, any_state=True)
    system, names, _ = with_known(definition, model, System(model))
    functions = tuple(c.function(n) for n, c in enumerate(candidates(definition, model)))
    evaluator = Evaluator(evolve(model, functions=(*model.functions, *functions)))
    seen, waiting = set(), evaluator.initial()
    while waiting and len(seen) < 400:
        state = waiting.pop(0)
        if (key := repr(state)) not in seen:
            seen.add(key)
            assert [f for f in names if not evaluator.holds(f, state)] == []
            waiting += [step.after for step in evaluator.successors(state) if step.after is not None]
    assert names and len(seen) > 10


def test_a_counterexample_to_induction_has_what_the_base_classes_make_true() -> None:
    """No process has crashed with crashes=0, and what is delivered was multicast; NoCreation needs no help."""
    proof = prove(Plain, "Plain", {"workload": (1, 1)}, properties=["NoCreation"], vacuity=0)
    assert proof.verdict == "proved" and proof.depth == 1 and f"{SENT}: delivered" in " ".join(proof.known)

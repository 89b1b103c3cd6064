"""Facts about the lecture's multicasts that a verdict alone does not show: messages per multicast, worked delivery
orders, equal engines."""

from collections.abc import Callable

import pytest

from checker.analysis.check import check, outcomes
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.models.basic_multicast import BasicMulticast
from checker.models.causal_vector_clock import CausalVectorClock
from checker.models.causal_vector_clock import OverReliable as CausalOverReliable
from checker.models.fifo_multicast import FifoMulticast
from checker.models.nack_multicast import AsSketched, HeartbeatAskHop, NackMulticast
from checker.models.reliable_multicast import NonBlocking, RelayOnFailure, ReliableMulticast, SkipKnown, Slides

SMALL = [
    (BasicMulticast, {"workload": (1, 0, 0), "crashes": 1}),
    (ReliableMulticast, {"workload": (1, 1), "crashes": 1}),
    (NonBlocking, {"workload": (1, 0), "crashes": 1}),
    (FifoMulticast, {"workload": (2, 0), "duplicates": 1}),
    (CausalVectorClock, {"workload": (1, 1, 0), "crashes": 1}),
    (NackMulticast, {"workload": (2, 0), "losses": 1}),
    (HeartbeatAskHop, {"workload": (1, 0), "losses": 1, "crashes": 1}),
]


@pytest.mark.parametrize(("cls", "constants"), SMALL)
def test_both_engines_agree(cls: type, constants: dict[str, object]) -> None:
    """Distinct states, transitions, depth and verdicts of the compiled search are those of the interpreter."""
    native, meaning = (
        check(cls, "", constants, engine=e, traces=False, stop_at_first=False) for e in ("native", "interpreter")
    )
    assert (native.distinct, native.transitions, native.depth) == (meaning.distinct, meaning.transitions, meaning.depth)
    assert {(p.name, p.verdict) for p in native.properties} == {(p.name, p.verdict) for p in meaning.properties}


def sends(cls: type, processes: int) -> int:
    """Protocol messages sent for one multicast, along one run without faults (the same in every such run)."""
    interpreter = Interpreter(define(cls, {"workload": (1, *(0,) * (processes - 1))}))
    state, count = interpreter.initial()[0], 0
    while steps := list(interpreter.steps(state)):
        count += sum(event.name == "send" for event in steps[0].events)
        assert steps[0].after is not None
        state = steps[0].after
    return count


COSTS: list[tuple[type, Callable[[int], int]]] = [
    (BasicMulticast, lambda n: n),
    (ReliableMulticast, lambda n: n * n),  # the lecture: each message is sent |g| times to each process
    (Slides, lambda n: n + n * (n - 1)),
    (SkipKnown, lambda n: n + (n - 1) * (n - 2)),
    (RelayOnFailure, lambda n: n),
    (FifoMulticast, lambda n: n),
    (CausalVectorClock, lambda n: n - 1),
    (CausalOverReliable, lambda n: (n - 1) * n),
    (AsSketched, lambda n: n - 1),
]


@pytest.mark.parametrize("processes", [3, 4])
@pytest.mark.parametrize(("cls", "cost"), COSTS)
def test_messages_per_multicast(cls: type, cost: Callable[[int], int], processes: int) -> None:
    """What one multicast costs when nothing fails."""
    assert sends(cls, processes) == cost(processes)


def test_fifo_multicast_interleaves_senders_only() -> None:
    """Two processes with two messages each: every process may see each of the 6 merges of the two sequences, so 36
    outcomes."""
    assert len(outcomes(FifoMulticast, {"workload": (2, 2)})) == 36


def test_nothing_of_others_is_delivered_under_the_printed_numbers() -> None:
    """The code counts from 1, the receivers start at -1: they wait for number 0 for ever, without any loss."""
    (outcome,) = outcomes(NackMulticast, {"workload": (1, 1)})
    assert dict(outcome["delivered"]) == {"p1": ("m1.1",), "p2": ("m2.1",)}


def test_a_reply_waits_for_what_it_replies_to() -> None:
    """p3 gets the reply m2.1 before m1.1: it is held back, and both are delivered when m1.1 comes."""
    model = CausalVectorClock(workload=(1, 1, 0))
    p1, p2, p3 = model.Process
    model.multicast(p1)
    first = model.net.between(p1, p3)
    model.receive(p2, p1, next(iter(model.net.between(p1, p2))))
    model.multicast(p2)
    model.receive(p3, p2, next(iter(model.net.between(p2, p3))))
    assert list(model.delivered[p3]) == [] and [m.name for m in model.held[p3]] == ["m2.1"]
    model.receive(p3, p1, next(iter(first)))
    assert [m.name for m in model.delivered[p3]] == ["m1.1", "m2.1"]

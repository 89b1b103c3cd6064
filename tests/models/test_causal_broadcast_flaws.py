"""Where Algorithm 1 of "Crash-Tolerant Causal Broadcast in O(n) Messages" loses causality, as single runs."""

import pytest

from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.models.causal_broadcast import Retested, WaitFirst, WholeHandler


class Run:
    """One run, step by step; a sequence in flight is named by its last message."""

    def __init__(self, cls, workload):
        self.interpreter = Interpreter(define(cls, {"workload": workload}, only=["NoDuplication", "CausalOrder"]))
        self.model = self.interpreter.model
        self.state = self.interpreter.initial()[0]

    def broadcast(self, p):
        """p broadcasts its next message."""
        self.take(lambda step, a: step.action.name == "multicast" and str(a["p"]) == p)

    def receive(self, p, *messages):
        """p receives, one after the other, the sequences that end with these messages."""
        for m in messages:
            self.take(lambda s, a, m=m: s.action.name == "receive" and (str(a["p"]), str(a["sequence"][-1])) == (p, m))

    def take(self, wanted):
        """Take the only enabled step that is wanted."""
        steps = [step for step in self.interpreter.steps(self.state) if wanted(step, dict(step.arguments))]
        assert len(steps) == 1
        self.state = steps[0].after
        self.model.set_raw_state(self.state)

    def delivered(self, p):
        """What p has delivered, by name."""
        return next(list(map(str, self.model.delivered[q])) for q in self.model.Process if str(q) == p)

    def violated(self):
        """Names of the properties that are false now."""
        i = self.interpreter
        return [p.name for p in i.definition.properties if i.violated(p, self.state)]


@pytest.mark.parametrize(
    ("cls", "got"), [(WholeHandler, ["m2.1", "m1.1", "m1.2"]), (WaitFirst, ["m1.1", "m2.1", "m1.2"])]
)
def test_line_2_drops_a_message_on_which_another_entry_depends(cls, got):
    """p2 answers m1.1 with m2.1; p1 sends [m2.1, m1.2] without m1.1, and p3 reads m2.1 first."""
    run = Run(cls, (2, 1, 0))
    run.broadcast("p1")
    run.receive("p2", "m1.1")
    run.broadcast("p2")
    run.receive("p1", "m2.1")
    run.broadcast("p1")
    run.receive("p3", "m1.2")
    assert run.violated() == (["CausalOrder"] if cls is WholeHandler else [])
    run.receive("p3", "m1.1")
    assert run.delivered("p3") == got


@pytest.mark.parametrize(("cls", "first"), [(Retested, ["m3.1"]), (WaitFirst, [])])
def test_line_8_moves_an_entry_behind_one_that_depends_on_its_predecessor(cls, first):
    """p2 delivered m1.1, its answer m3.1, then m1.2; it sends [m3.1, m1.2, m2.1], and m1.1 is not in it."""
    run = Run(cls, (2, 1, 1, 0))
    run.broadcast("p1")
    run.receive("p3", "m1.1")
    run.broadcast("p3")
    run.broadcast("p1")
    run.receive("p2", "m1.1", "m3.1", "m1.2")
    run.broadcast("p2")
    run.receive("p4", "m2.1")
    assert run.delivered("p4")[:1] == first
    assert run.violated() == (["CausalOrder"] if cls is Retested else [])


@pytest.mark.parametrize(("cls", "times"), [(WholeHandler, 2), (Retested, 1)])
def test_two_threads_that_wait_for_the_same_message_both_deliver_unless_line_6_is_repeated(cls, times):
    """m1.2 reaches p3 by itself and with m2.1, both before m1.1."""
    run = Run(cls, (2, 1, 0))
    run.broadcast("p1")
    run.broadcast("p1")
    run.receive("p2", "m1.1", "m1.2")
    run.broadcast("p2")
    run.receive("p3", "m1.2", "m2.1", "m1.1")
    assert run.delivered("p3").count("m1.2") == times
    assert ("NoDuplication" in run.violated()) == (times == 2)

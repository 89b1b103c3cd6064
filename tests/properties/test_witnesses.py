"""The sentence that says how a property fails names what contradicts what, and whose values are at fault."""

from checker.analysis.check import check
from checker.language import Int, Invariant, Map, Process, Set, action, const, invariant, require, var
from checker.language.distributed import Distributed
from checker.models.byzantine_generals import ByzantineGenerals
from checker.models.causal_broadcast import WaitFirst
from checker.models.nack_multicast import KeepLastOnly
from checker.models.optimistic_delivery import ShortWindow
from checker.models.optimistic_multicast_1 import OptimisticMulticast1
from checker.models.wait_for_all import WholeGraph
from checker.properties import multicast as properties
from checker.report.ends import shared_at_end
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap
from tests.properties import deliveries as models


class Together(models.AnyOrder):
    """A process may deliver two messages of a sender in one step, the later one first."""

    may_pass = const(True, "a process may deliver one message and not the other")

    @action
    def receive(self, p: Process, m: models.Message):
        require(self.number(m) == 1 and self.was_multicast(m) and m not in self.delivered[p])
        self.deliver(p, m)
        if not self.may_pass:
            self.deliver(p, self.Message[m.index - 1])

    properties = [properties.FifoOrder, properties.CausalOrder]


class Answers(Distributed):
    """An answer is given before anything is kept."""

    processes = const(2, "number of processes")
    log = var(Map[Process, Set[Int(1, 2)]])
    answered = var(Set[Int(1, 2)])

    @action
    def answer(self, p: Process) -> None:
        require(1 not in self.answered)
        self.answered.add(1)

    @invariant
    def kept(self) -> bool:
        return all(n in self.log[p] for p in self.Process for n in self.answered)


def shown(cls: type, name: str, **constants: object) -> Trace:
    """The counterexample to one property."""
    report = check(cls, cls.__name__, constants, only=[name])
    trace = next(p.trace for p in report.properties if p.name == name)
    assert trace is not None
    return trace


def test_behind_or_a_quantified_part_names_the_guilty() -> None:
    """`the commander is disloyal or all(decision[p] == order ...)`: p is at fault, and the order, which no lane has,
    stands at the end."""
    trace = shown(ByzantineGenerals, "integrity", processes=4, traitors=2)
    assert dict(trace.witness_values) == {"p": "p4"} and trace.guilty == ("p4",)
    assert shared_at_end(trace) == {"order": "v"}


def test_who_takes_no_step_can_be_at_fault() -> None:
    """`m in delivered[q]` is false for p2, which never does anything."""
    assert shown(WaitFirst, "strong_termination", workload=(1, 0, 0), crashes=1).guilty == ("p2",)


def test_who_is_named_in_the_sentence_alone_is_at_fault() -> None:
    """Where no quantified variable is a process, the processes of the sentence are those to look at."""
    trace = shown(models.OnlyOthers, "Validity", workload=(1, 1))
    assert trace.witness == "p1 is correct and never delivers its own message m1.1." and trace.guilty == ("p1",)


def test_a_message_that_was_delivered_too_late_is_not_said_to_be_missing() -> None:
    """Without it, or before it."""
    for name, why in (("FifoOrder", "its sender multicast earlier"), ("CausalOrder", "causally precedes it")):
        for may_pass, word in ((True, "without"), (False, "before")):
            found = shown(Together, name, workload=(2,), may_pass=may_pass)
            assert found.witness == f"p1 delivered m1.2 {word} m1.1, which {why}."


class Kept(Invariant):
    """Who keeps an answer has not been asked."""

    def holds(self) -> bool:
        return all(len(self.log[p]) == 0 for p in self.Process)

    def explain(self, p) -> str:
        return f"{p} has {self.log[p]}, and should have {self.log[p] - {1}}."


class NobodyAnswers(Answers):
    """Its property has a sentence of its own."""

    kept = None

    @action
    def keep(self, p: Process) -> None:
        require(len(self.answered) > 0 and len(self.log[p]) == 0)
        self.log[p].add(1)

    properties = [Kept]


def test_an_empty_set_in_a_sentence_is_told_as_elsewhere() -> None:
    """Not as Python prints it."""
    assert shown(NobodyAnswers, "Kept").witness == "p1 has {1}, and should have {}."


def test_a_circle_of_deliveries_is_told_link_by_link() -> None:
    """Each link of the circle names the process whose deliveries make it."""
    trace = shown(models.Circle, "Acyclicity", workload=(1, 1, 1))
    links = trace.witness.removeprefix("The deliveries go in a circle: ").removesuffix(".").split(", ")
    told = [link.replace(" at ", " before ").split(" before ") for link in links]
    assert [first for first, _, _ in told] == [told[-1][1], *(second for _, second, _ in told[:-1])]
    delivered = trace.states[-1]["delivered"]
    assert all(delivered[p].index(second) > delivered[p].index(first) for first, second, p in told) and set(
        trace.guilty
    ) == {p for *_, p in told}


def test_of_equal_timestamps_the_sentence_says_which_is_the_smaller() -> None:
    """Two equal numbers contradict nothing unless one knows what breaks the tie."""
    trace = shown(OptimisticMulticast1, "StampedByTimestamp", workload=(1, 1), groups=(1, 1), ticks=2)
    assert trace.witness == (
        "p1 had stamped m2.1 with 1, and then stamped m1.1 with 1; of equal timestamps that of m1.1 is the "
        "smaller, by its identifier."
    )


def test_a_value_all_share_stands_at_the_end() -> None:
    """The decided order is nobody's own, and it is what the property speaks of."""
    trace = shown(ShortWindow, "TimestampsKept", workload=(1, 1))
    assert trace.witness == "The final order has m2.1 before m1.1, which has a smaller timestamp."
    assert shared_at_end(trace) == {"order": "[m2.1, m1.1]"}


def test_a_value_that_all_share_stands_at_the_end_whatever_the_sentence_says() -> None:
    """The property reads `answered`, which is nobody's own; the sentence speaks of one member of it alone."""
    trace = shown(Answers, "kept")
    assert trace.witness == "For p = p1, n = 1: n = 1 is not in log[p1] = {}." and trace.guilty == ("p1",)
    assert trace.final_values == FrozenMap({"p1": "log {}", "p2": "log {}", "answered": "{1}"})
    assert shared_at_end(trace) == {"answered": "{1}"}


def test_a_variable_of_the_property_hides_one_of_the_model() -> None:
    """CausalOrder has a variable `past` of its own; that of the model, which it does not read, says nothing of the
    violation."""
    trace = shown(WholeGraph, "CausalOrder", processes=2, workload=(2, 2))
    assert "past" in trace.states[-1] and set(trace.final_values) == {"p1", "p2"}


def test_a_run_without_end_says_what_never_comes() -> None:
    """The reader of a lasso is told what should have happened, in the words of the property, and what happens
    instead: which process waits for which message."""
    trace = shown(KeepLastOnly, "Recovery", workload=(2, 0), losses=1)
    assert trace.witness == (
        "Sooner or later every live process has what any live process has delivered. Not here: for "
        "p = p1, m = m1.1, q = p2: m1.1 is not in delivered[p2] = []; the run repeats steps 5 to 7 for ever, and "
        "is weakly fair."
    )
    assert trace.guilty == ("p2",)

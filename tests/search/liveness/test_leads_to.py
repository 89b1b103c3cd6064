"""Leads-to from a model's text to its verdict: what fairness promises, and that both engines see the same graph and the
same run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from checker.analysis.check import check, examine
from checker.analysis.coverage import with_conditions
from checker.analysis.explain import background
from checker.analysis.stored_trace import replay
from checker.catalogue import find
from checker.engines.explored import Behaviour, Explored
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.engines.runs import breaking_run
from checker.language import Bool, Ids, LeadsTo, action, anything, choose, of, var
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.models import basic_multicast, consensus, consensus_attempts, nack_multicast
from tests.language import construct
from tests.search.liveness import protocols

SMALL = [
    (protocols.Draws, {}),
    (protocols.Tries, {}),
    (protocols.GivenUp, {"beats": True}),
    (protocols.DrawsByName, {}),
    (protocols.NeverBegins, {}),
    (protocols.Echo, {}),
    (protocols.Echo, {"channels": "fifo"}),
    (protocols.Echo, {"losses": 1, "duplicates": 1}),
    (protocols.Overtaken, {}),
    (protocols.Wide, {}),
    (protocols.Wide, {"channels": "fifo"}),
    (consensus.HeardOf, {}),
    (consensus_attempts.SmallestOfAll, {}),
    (consensus_attempts.SmallestOfAll, {"proposals": (0, 1), "crashes": 1}),
    (basic_multicast.Acknowledged, {"workload": (1, 0), "losses": 1, "duplicates": 1}),
    (basic_multicast.AcknowledgeOnce, {"workload": (1, 0), "losses": 1}),
    (basic_multicast.AcknowledgeOnce, {"workload": (1, 0), "losses": 1, "channels": "fifo"}),
    (nack_multicast.KeepLastOnly, {"workload": (2, 0), "losses": 1}),
]


def explored(definition: Definition) -> tuple[Explored, Explored]:
    """By compiled code, and by the interpreter."""
    native = explore(Request(definition, stop_at_first=False))
    return native, explore(Request(definition, engine="interpreter", stop_at_first=False))


def assert_same_graph(one: Behaviour, other: Behaviour) -> None:
    """The same edges in the same order, with the same labels."""
    assert one.graph.states == other.graph.states
    for part in ("sources", "targets", "labels", "fair", "ends"):
        assert np.array_equal(getattr(one.graph, part), getattr(other.graph, part)), part


@pytest.mark.parametrize("cls, constants", SMALL, ids=[f"{cls.__name__}-{i}" for i, (cls, _) in enumerate(SMALL)])
def test_compiled_code_and_the_interpreter_find_the_same_run(cls: type[Model], constants: dict[str, object]) -> None:
    """The same graph, the same truth of `when` and `then`, the same lasso."""
    definition = define(cls, constants)
    native, interpreted = (e.behaviour() for e in explored(definition))
    assert_same_graph(native, interpreted)
    for p in definition.properties:
        if p.kind == "leads-to":
            for one, other in zip(native.truth(p, 0), interpreted.truth(p, 0)):
                assert np.array_equal(one, other)
            assert breaking_run(p, native) == breaking_run(p, interpreted)


CHOOSING = [f for f in construct.FILES if any(word in f.read_text() for word in ("choose(", "@on(", "every_type"))]


@pytest.mark.parametrize(
    "file", [pytest.param(f, marks=pytest.mark.thorough if i % 2 else (), id=f.stem) for i, f in enumerate(CHOOSING)]
)
def test_steps_that_choose_or_receive_have_the_same_labels(file: Path) -> None:
    """The graphs of one-purpose models, by both engines; those that a constraint cuts have none."""
    native, interpreted = explored(construct.definition(file))
    assert native.cut == interpreted.cut
    if not native.cut:
        assert_same_graph(native.behaviour(), interpreted.behaviour())


def verdict(cls: type[Model], engine: str, **constants: object) -> str:
    """Of the one leads-to property."""
    return next(p.verdict for p in check(cls, "", constants, engine=engine).properties if p.kind == "leads-to")


@pytest.mark.parametrize("engine", ["native", "interpreter"])
class TestFairness:
    """What weak fairness promises."""

    def test_an_instance_is_told_by_its_parameters(self, engine: str) -> None:
        """Both values of a parameter have their turn."""
        assert verdict(protocols.DrawsByName, engine) == "holds"

    def test_what_is_chosen_inside_an_action_is_promised_to_nobody(self, engine: str) -> None:
        """The same choice may be made for ever."""
        assert verdict(protocols.Draws, engine) == "violated"
        assert verdict(protocols.Overtaken, engine) == "violated"

    def test_an_unfair_action_promises_nothing(self, engine: str) -> None:
        """Not even that each of its parameters has its turn."""
        assert verdict(protocols.DrawsUnfairly, engine) == "violated"

    def test_a_run_may_end_where_only_what_may_wait_for_ever_is_possible(self, engine: str) -> None:
        """That nothing else happens does not make it happen."""
        assert verdict(protocols.Waits, engine) == "violated"
        assert verdict(protocols.Hurries, engine) == "holds"

    def test_a_crash_in_the_middle_of_a_step_is_promised_to_nobody(self, engine: str) -> None:
        """An action is not enabled if all that is possible of it is that its process crashes on the way: a run may stop
        there, or go on with other things for ever."""
        assert verdict(protocols.GivenUp, engine) == "violated"
        assert verdict(protocols.GivenUp, engine, beats=True) == "violated"

    def test_states_in_which_only_such_a_crash_is_possible_are_quiescent(self, engine: str) -> None:
        """As with crashes between steps: the initial state, and that after the crash; with something else to do,
        none."""
        counts = [
            check(protocols.GivenUp, "", {"beats": beats}, engine=engine, stop_at_first=False)
            for beats in (False, True)
        ]
        assert [(c.quiescent, c.distinct) for c in counts] == [
            (counts[0].distinct, counts[1].distinct),
            (0, counts[1].distinct),
        ]

    def test_without_a_state_there_is_nothing_to_hold(self, engine: str) -> None:
        """Vacuous, and no error."""
        assert check(protocols.NoStart, "", engine=engine).verdict == "vacuous"

    def test_merged_states_do_not_tell_of_whole_runs(self, engine: str) -> None:
        """Refused where permutations are merged, judged where they are not."""
        assert verdict(protocols.Bells, engine) == "holds"
        with pytest.raises(UsageError, match="about whole runs, which states merged by symmetry do not have"):
            verdict(protocols.Bells, engine, symmetry=True)

    def test_a_lasso_is_shown_by_the_steps_that_make_it_fair(self, engine: str) -> None:
        """Two actions lead from a state to itself, and both have their turn; the third, which may wait for ever, is
        named."""
        trace = next(p.trace for p in check(protocols.Tries, "", engine=engine).properties)
        assert trace is not None and trace.loop == 0
        assert [s.action for s in trace.steps] == ["look", "listen"]
        assert trace.not_taken == ("draw()",)

    @pytest.mark.parametrize(
        ("cls", "constants"),
        [
            (protocols.GivenUp, {"beats": True}),
            (protocols.Overtaken, {"crashes": 1}),
            (protocols.Echo, {"losses": 1, "duplicates": 1}),
        ],
    )
    def test_a_fault_that_does_not_happen_and_a_step_that_cannot_end_are_not_waiting(
        self, engine: str, cls: type[Model], constants: dict[str, object]
    ) -> None:
        """Processes may crash and messages be doubled at every moment of the lasso, and neither is said to wait.

        Nor is an action that only a crash ends.
        """
        trace = next(p.trace for p in check(cls, "", constants, engine=engine).properties)
        assert trace is not None and trace.loop is not None
        assert trace.not_taken == ()

    @pytest.mark.parametrize("channels", ["unordered", "fifo"])
    def test_a_message_that_waits_is_received(self, engine: str, channels: str) -> None:
        """A second message on the same way, received again and again, does not keep the first from arriving."""
        assert verdict(protocols.Echo, engine, channels=channels) == "holds"

    def test_a_lost_message_is_received_by_nobody(self, engine: str) -> None:
        """A loss need not happen, but it may; then the run goes on without the message."""
        assert verdict(protocols.Echo, engine, losses=1) == "violated"

    def test_a_property_that_cannot_be_evaluated_is_refused(self, engine: str) -> None:
        """The message names the property and the line."""
        with pytest.raises(UsageError, match=r"protocols\.py:\d+: Beyond cannot be evaluated"):
            verdict(protocols.Unreadable, engine)


def test_a_run_that_stops_names_what_may_wait_for_ever() -> None:
    """It is still possible, so it is not said that nothing can happen."""
    trace = next(p.trace for p in check(protocols.Waits, "").properties)
    assert trace is not None and trace.witness.endswith(
        " from the start only draw is enabled, and it need not happen (fair=False)."
    )


@pytest.mark.parametrize(
    ("cls", "changed", "reason"),
    [
        (protocols.Waits, protocols.Hurries, "it cannot stop in its last state: draw() is enabled"),
        (protocols.Tries, protocols.TriesAll, "it is not weakly fair: draw() is enabled all the time and never taken"),
    ],
)
def test_a_stored_run_is_held_against_the_whole_property(cls: type[Model], changed: type[Model], reason: str) -> None:
    """Its states are still those of the model, and `then` is still false in the last one; but now something is owed."""
    reference = f"{Path(protocols.__file__)}:{cls.__name__}"
    trace = next(p.trace for p in check(find(reference).cls, reference).properties if p.kind == "leads-to")
    assert trace is not None and replay(trace).confirmed
    again = replay(evolve(trace, reference=f"{Path(protocols.__file__)}:{changed.__name__}"))
    assert not again.confirmed and again.reason == f"the run no longer breaks Second: {reason}"


@pytest.mark.parametrize(
    ("constants", "rest"), [({"losses": 1}, "more"), ({"losses": 1, "gusts": 1}, "but faults")], ids=["used up", "left"]
)
def test_a_run_that_stops_says_whether_faults_are_left(constants: dict[str, int], rest: str) -> None:
    """Where every budget is 0 or used up, not even a fault can happen."""
    trace = next(p.trace for p in check(protocols.Door, "", constants).properties if p.kind == "leads-to")
    assert trace is not None and trace.loop is None and trace.witness.endswith(f" nothing {rest} can happen.")


def test_messages_of_many_words_are_told_apart() -> None:
    """Each of the six messages has a label of its own, although the handlers do not name all fields; so have the six
    sends."""
    graph = explore(Request(define(protocols.Wide), stop_at_first=False)).behaviour().graph
    assert len(graph.fair) == 12


def test_the_page_says_since_when_something_is_owed() -> None:
    """At each state of a lasso: nothing is owed before it is asked for, then it is owed since that step."""
    reference = f"{Path(protocols.__file__)}:Overtaken"
    trace = next(p.trace for p in check(find(reference).cls, reference).properties if p.kind == "leads-to")
    assert trace is not None
    assert background(trace).verdicts["Heard"] == ("nothing is pending", *["pending since step 1"] * 3)


def test_steps_that_do_not_fit_the_buffer_are_found_in_a_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for one successor gives the same graph as room for all."""
    definition = define(consensus.HeardOf)
    native, interpreted = explored(definition)
    monkeypatch.setattr("checker.backends.native.graph.CAPACITY", 1)
    assert_same_graph(native.behaviour(), interpreted.behaviour())


def test_a_predicate_that_fails_in_the_first_state_is_refused() -> None:
    """By compiled code as by the interpreter, with the line."""
    definition = define(protocols.UnreadableAtOnce)
    lines = []
    for found in explored(definition):
        with pytest.raises(UsageError, match="Beyond cannot be evaluated") as caught:
            found.behaviour().truth(definition.properties[0], 0)
        lines.append(caught.value.line)
    assert lines[0] == lines[1]


class Done(LeadsTo):
    """It is done sooner or later."""

    def then(self) -> bool:
        return self.done


class Stutters(Model):
    """May change nothing, again and again: in TLA+ WF_vars(advance) makes it advance, weak fairness of the action alone
    does not."""

    done = var(Bool)
    properties = [Done]

    @action(fair="change")
    def advance(self):
        self.done = choose([self.done, True])


class StuttersFairly(Stutters):
    """EDIT: a step that changes nothing takes the action."""

    @action
    def advance(self):
        self.done = choose([self.done, True])


class OnlyStutters(Stutters):
    """EDIT: what could change the state may wait for ever, and the rest changes nothing: a run may end."""

    @action(fair=False)
    def advance(self):
        self.done = True

    @action(fair="change")
    def rest(self):
        pass


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_where_only_changes_count_a_step_that_changes_nothing_takes_no_action(engine: str) -> None:
    """WF_vars of TLA+, and weak fairness of the action itself, tell these models apart."""
    found = {
        cls.__name__: check(cls, "", engine=engine).properties[0] for cls in (Stutters, StuttersFairly, OnlyStutters)
    }
    assert {name: (p.verdict, p.trace and p.trace.loop) for name, p in found.items()} == {
        "Stutters": ("holds", None),
        "StuttersFairly": ("violated", 0),
        "OnlyStutters": ("violated", None),
    }


class EachServed(LeadsTo):
    """Whoever is not served is served later."""

    def when(self, p: of("P")) -> bool:
        return self.served != p

    def then(self, p: of("P")) -> bool:
        return self.served == p


class RoundRobin(Model):
    """One after the other."""

    P = Ids("p", 3)
    served = var(P, anything)
    properties = [EachServed]

    @action
    def serve(self):
        self.served = self.P[(self.served.index + 1) % 3]


class LastLeftOut(RoundRobin):
    """EDIT: p3 is passed over."""

    @action
    def serve(self):
        self.served = self.P[(self.served.index + 1) % 2]


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_a_leads_to_with_a_parameter_is_judged_for_each_of_its_values(engine: str) -> None:
    """It holds where everybody is served in turn, though never all at once; else the counterexample names who is not,
    in words and as a value."""
    assert check(RoundRobin, "", engine=engine).verdict == "holds"
    (broken,) = check(LastLeftOut, "", engine=engine).properties
    assert broken.verdict == "violated" and broken.trace is not None
    assert dict(broken.trace.witness_values) == {"p": "p3"}
    assert broken.trace.witness.startswith(
        "Whoever is not served is served later. Not here for p = p3: the run repeats steps"
    )


def test_coverage_says_for_which_values_a_leads_to_was_never_called_for() -> None:
    """`when` is looked at for each value of the parameters: p1 is never passed over."""
    tested_ = with_conditions(examine(FromTheFirst, "", traces=False), False).conditions
    assert tested_ is not None and [(c.condition, c.first_steps) for c in tested_] == [
        ("Second.when(p1)", None),
        ("Second.when(p2)", 0),
        ("Second.when(p3)", 0),
    ]


class Second(LeadsTo):
    """Somebody behind the first who is not served is served."""

    def when(self, p: of("P")) -> bool:
        return self.served != p and p != self.P[0]

    def then(self, p: of("P")) -> bool:
        return self.served == p


class FromTheFirst(RoundRobin):
    """EDIT: another property."""

    properties = [Second]

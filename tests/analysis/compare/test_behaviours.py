"""Sequences of events compared: behaviours of one protocol that another does not have."""

from __future__ import annotations

import json
import math
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checker.analysis.compare.behaviours import Sets, Walk, behaviour_difference
from checker.analysis.compare.event_graph import MIXERS, Building, EventGraph, distinct_rows
from checker.analysis.compare.events import Kinds, alphabet, word_of
from checker.analysis.compare.quotient import quotient
from checker.analysis.compare.side import Side
from checker.backends.interpreter.interpreter import Interpreter
from checker.cli.program import run
from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Record,
    Seq,
    Set,
    action,
    anything,
    const,
    constraint,
    require,
    var,
)
from checker.language.define import define
from checker.language.definition import Definition
from checker.models.basic_multicast import Acknowledged, BasicMulticast, DeliverFirst, InTurn, OthersOnly
from checker.models.isis import Isis, NothingToItself, NoTieBreak, ServeOnce, WaitForTheLiving
from checker.models.optimistic_multicast_1 import OptimisticMulticast1
from checker.models.optimistic_multicast_3 import OptimisticMulticast3
from checker.models.sequencer import Sequencer
from checker.report.compare.steps import behaviour_lines
from checker.report.lines import plain
from checker.results.comparison import END, BehaviourDifference, Separation, Word
from tests.analysis.compare import lock


class Mood(Enum):
    """A value that is not compared."""

    calm = 0
    cross = 1


class Talk(Model):
    """Everybody says once which number and flag it holds; who says one too large is not listened to any more."""

    Person = Ids("p", 2)
    Said = Record(who=Person, loud=Bool)
    top = const(2, "numbers from here on are too large")
    number = var(Map[Person, Int(0, 2)], anything)
    said = var(Set[Person])

    @action
    def speak(self, p: Person):
        require(p not in self.said)
        self.said.add(p)
        self.tell(p)

    def tell(self, p):
        self.emit.say(self.Said(p, self.number[p] == 1), self.number[p])
        self.emit.feel(p, Mood.calm)

    @constraint
    def small(self) -> bool:
        return all(self.number[p] < self.top for p in self.said)


class Answering(Talk):
    """EDIT: nobody is named until somebody has spoken."""

    last = var(Optional[Talk.Person])

    def tell(self, p):
        self.emit.say(self.Said(p, self.number[p] == 1), self.number[p])
        self.emit.answer(self.last)
        self.last = p


class AnsweringOneself(Answering):
    """EDIT: everybody answers themselves."""

    def tell(self, p):
        self.emit.say(self.Said(p, self.number[p] == 1), self.number[p])
        self.emit.answer(p)


class InTwo(Talk):
    """EDIT: a saying takes two steps, with other variables."""

    feeling = var(Seq[Talk.Person, 1])

    @action
    def speak(self, p: Talk.Person):
        require(p not in self.said and len(self.feeling) == 0)
        self.said.add(p)
        self.feeling.append(p)
        self.emit.say(self.Said(p, self.number[p] == 1), self.number[p])

    @action
    def feel(self):
        require(len(self.feeling) > 0)
        self.emit.feel(self.feeling[0], Mood.cross)
        self.feeling = []


class Shouting(Talk):
    """EDIT: everybody is loud, and then tells one thing more."""

    def tell(self, p):
        self.emit.say(self.Said(p, True), self.number[p])
        self.emit.feel(p, Mood.calm)
        self.emit.regret(p)


class Talkative(Model):
    """More events in a step than are recorded."""

    count = var(Int(0, 1), 0)

    @action
    def burst(self):
        for i in range(20):
            self.emit.word(i)


PAIRS: list[tuple[type[Model], type[Model], dict[str, Any]]] = [
    (BasicMulticast, OthersOnly, {"workload": (1, 1)}),
    (BasicMulticast, DeliverFirst, {"workload": (1, 0), "crashes": 1}),
    (BasicMulticast, InTurn, {"workload": (1, 0), "crashes": 1}),
    (BasicMulticast, InTurn, {"workload": (1, 1), "losses": 1}),
    (BasicMulticast, Acknowledged, {"workload": (1, 0)}),
    (Talk, InTwo, {}),
    (Talk, Shouting, {}),
    (Talk, InTwo, {"top": 1}),
    (Talk, Talk, {"top": 3}),
    (Answering, AnsweringOneself, {}),
]
LARGER: list[tuple[type[Model], type[Model], dict[str, Any]]] = [
    (Isis, NothingToItself, {"workload": (1, 1)}),
    (Isis, NoTieBreak, {"workload": (1, 1)}),
    (Isis, ServeOnce, {"workload": (1, 1)}),
    (Isis, WaitForTheLiving, {"workload": (1, 0), "crashes": 1}),
    (Sequencer, Isis, {"workload": (1, 1)}),
    (OptimisticMulticast1, OptimisticMulticast3, {"workload": (1, 0)}),
]


def told(
    before: type[Model], after: type[Model], engine: str = "native", seconds: float = 120.0, **constants: Any
) -> BehaviourDifference:
    """The comparison of two models that have events in common."""
    sides = Side(before, before.__name__, constants), Side(after, after.__name__, constants)
    found = behaviour_difference(*sides, seconds, engine)
    assert found is not None
    return found


def sequences(definition: Definition, kinds: dict[str, Kinds]) -> set[tuple[str, ...]]:
    """All that runs tell, up to any point; those that may be over then, with END."""
    interpreter = Interpreter(definition)
    found = {((), state) for state in interpreter.initial() if interpreter.kept(state)}
    every: set[tuple[str, ...]] = {()}
    pending = list(found)
    for word, state in pending:
        steps = list(interpreter.steps(state))
        if all(s.action.fault for s in steps):
            every.add((*word, END))
        for step in (s for s in steps if s.after is not None and interpreter.kept(s.after)):
            more = word + word_of(step.events, kinds)
            every |= {more[:i] for i in range(len(more) + 1)}
            if (more, step.after) not in found:
                found.add((more, step.after))
                pending.append((more, step.after))
    return every


@pytest.mark.parametrize("engine", ["native", "interpreter"])
@pytest.mark.parametrize(("before", "after", "constants"), PAIRS[:2] + PAIRS[5:])
def test_the_difference_is_that_of_all_sequences(
    before: type[Model], after: type[Model], constants: dict[str, Any], engine: str
) -> None:
    """Held to enumerating every sequence of both: none shorter is of one side alone, and there is one exactly if the
    comparison has one."""
    definitions = define(before, constants), define(after, constants)
    sides, _ = alphabet(definitions, ("a", "b"))
    base, edit = (sequences(d, dict(kinds)) for d, kinds in zip(definitions, sides))
    found = told(before, after, engine, **constants)
    for separation, alone in ((found.added, edit - base), (found.removed, base - edit)):
        assert (separation is None) == (not alone)
        assert separation is None or separation.events in alone and len(separation.events) == min(map(len, alone))


LONG = pytest.param(Isis, WaitForTheLiving, {"workload": (1, 1), "crashes": 1}, marks=pytest.mark.thorough)


@pytest.mark.parametrize(("before", "after", "constants"), [*PAIRS, *LARGER, LONG])
def test_compiled_code_and_the_interpreter_tell_the_same(
    before: type[Model], after: type[Model], constants: dict[str, Any]
) -> None:
    """As many states and sets, the same sequences, and runs of the same length."""

    def shape(found: BehaviourDifference) -> Any:
        return (
            found.states,
            found.sets,
            found.complete,
            found.left_out,
            [_shape(s) for s in (found.added, found.removed)],
        )

    assert shape(told(before, after, "native", **constants)) == shape(told(before, after, "interpreter", **constants))


def _shape(separation: Separation | None) -> Any:
    return None if separation is None else (separation.events, len(separation.trace.steps))


def test_an_optimisation_with_other_steps_has_no_new_behaviour() -> None:
    """ISIS without messages to oneself: less is told, nothing new; the base alone lets another deliver first."""
    found = told(Isis, NothingToItself, workload=(1, 1))
    assert found.complete and found.added is None
    assert found.removed is not None and found.removed.events == ("multicast(p1, m1.1)", "deliver(p2, m1.1)")
    assert [e for s in found.removed.trace.steps for e in s.events if type(e).__name__ == "Deliver"]


def test_that_a_run_may_be_over_is_part_of_what_it_tells() -> None:
    """Delivering at most one message at a time leaves one undelivered: the same events, and then nothing more."""
    found = told(Isis, ServeOnce, workload=(1, 1))
    assert found.added is not None and found.added.events[-1] == END
    assert found.added.trace.steps and found.removed is None


def test_one_step_or_two_for_the_same_events_is_no_difference() -> None:
    """Events in one step are told one after the other; an argument of another kind is left out, and named."""
    found = told(Talk, InTwo)
    assert found.complete and found.added is None
    assert found.left_out == ("argument 2 of feel",)


def test_events_of_one_side_alone_are_left_out_and_named() -> None:
    """What only the edit emits is no difference; the flag in the record is."""
    found = told(Talk, Shouting)
    assert "regret, which only Shouting has" in found.left_out
    assert found.added is not None and found.added.events == ("say(Said(p1, true), 0)",)


def test_an_argument_of_another_type_is_left_out() -> None:
    """A stamp is a number in one protocol, and a record in the other."""
    found = told(OptimisticMulticast1, OptimisticMulticast3, workload=(1, 0))
    assert "argument 3 of fr_deliver" in found.left_out


def test_none_is_a_value_of_an_argument() -> None:
    """A person or none on one side, always a person on the other."""
    found = told(Answering, AnsweringOneself)
    assert found.left_out == ()
    assert found.removed is not None and found.removed.events[-1] == "answer(none)"


def test_models_without_events_are_not_compared() -> None:
    """A lock tells nothing."""
    assert behaviour_difference(Side(lock.Lock, "a"), Side(lock.NoGuard, "b"), 10.0) is None


def test_models_without_a_common_event_are_not_compared_and_it_is_said() -> None:
    """A protocol that multicasts, and people who talk."""
    found = told(BasicMulticast, Talkative)
    assert [plain(line) for line in behaviour_lines(found)][-1] == "not compared: the two have no event in common"
    assert not found.complete and "word, which only Talkative has" in found.left_out


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_without_time_nothing_is_claimed(engine: str) -> None:
    """States that were not explored: the report says whose."""
    found = told(Isis, NoTieBreak, engine, 0.0, workload=(1, 1))
    assert (found.complete, found.unexplored) == (False, "Isis")
    assert [plain(line) for line in behaviour_lines(found)] == [
        "not decided: Isis was not explored in time: 1 state (--events SECONDS, or smaller constants)"
    ]


def test_a_step_that_tells_more_than_is_recorded_is_not_compared_compiled() -> None:
    """The interpreter records all."""
    found = told(Talkative, Talkative, "native")
    assert found.unexplored == "Talkative"
    assert (
        "tell more than 15 events (--engine interpreter records all)"
        in [plain(line) for line in behaviour_lines(found)][-1]
    )
    assert told(Talkative, Talkative, "interpreter").complete


def test_the_report_shows_the_run_that_tells_the_two_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the first screen, in its own section, in the JSON, and as files; the run is printed where nothing else
    differs."""
    file = tmp_path / "found.json"
    arguments = [
        "compare",
        "isis:NothingToItself",
        "-D",
        "workload=1,1",
        "--rules",
        "0",
        "--delays",
        "0",
        "--all",
        "--json",
        str(file),
        "--out",
        str(tmp_path / "out"),
    ]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "events     none is new: every sequence is one of the base\n" in text
    assert "one that is gone: multicast(p1, m1.1), then deliver(p2, m1.1)" in text
    assert "events that only the base has reached at step" in text
    found = json.loads(file.read_text())["behaviours"]
    assert (found["added"], found["removed"]["events"]) == (None, ["multicast(p1, m1.1)", "deliver(p2, m1.1)"])
    assert "events that only the base has" in (tmp_path / "out" / "comparison.html").read_text()


def test_without_seconds_events_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """--events 0 leaves the section out."""
    assert (
        run(["compare", "isis:NothingToItself", "-D", "workload=1,1", "--rules", "0", "--delays", "0", "--events", "0"])
        == 0
    )
    assert "Behaviours" not in capsys.readouterr().out


EVENTS = ("a", "b")
edges = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([(), ("a",), ("b",), ("a", "b")])), max_size=12
)
graphs = st.tuples(edges, st.lists(st.booleans(), min_size=5, max_size=5))


def graph_of(found: tuple[list[tuple[int, int, Word]], list[bool]]) -> EventGraph:
    """Five states, of which the first is the start."""
    building = Building(initial=1)
    building.ends.append(np.array(found[1], np.bool_))
    for source, target, word in found[0]:
        building.add([source], [target], [building.label(word)])
    return building.graph(dict(zip(EVENTS, range(2))), lambda number: number)


def words(graph: EventGraph, longest: int) -> set[Word]:
    """Sequences of up to so many events, and those that end, from the rows of the graph alone."""
    found: set[Word] = set()
    sets = {(): frozenset({0})}
    while sets:
        following: dict[Word, frozenset[int]] = {}
        for word, nodes in sets.items():
            closed, pending = set(nodes), list(nodes)
            for node in pending:
                new = set(graph.silent.of_all(np.array([node])).tolist()) - closed
                closed |= new
                pending += new
            found |= {word} | ({(*word, END)} if graph.ends[sorted(closed)].any() else set())
            for told in graph.loud.of_all(np.array(sorted(closed))).tolist() if len(word) < longest else ():
                more = (*word, EVENTS[told & 0xFFFFFFFF])
                following[more] = following.get(more, frozenset()) | {told >> 32}
        sets = following
    return found


@given(graphs, graphs)
def test_nodes_of_one_future_are_one_and_no_sequence_is_lost(first: Any, second: Any) -> None:
    """On random graphs, with cycles and steps of two events: the shortest sequences of one side alone are those of
    enumeration."""
    sides = graph_of(first), graph_of(second)
    found = quotient(sides, math.inf)
    assert found is not None
    walk = Walk(Sets(found), EVENTS, math.inf)
    walk.run()
    base, edit = (words(side, 7) for side in sides)
    for word, alone in ((walk.added, edit - base), (walk.removed, base - edit)):
        assert word in alone and len(word) == min(map(len, alone)) if alone else word is None or len(word) > 7


@pytest.mark.parametrize("rows", [[[5, 1], [0, 0], [5, 1], [1, 0]], [[0, 1], [int(MIXERS[1]), 0], [0, 1]], []])
def test_rows_are_told_apart_even_where_one_number_stands_for_both(rows: list[list[int]]) -> None:
    """Rows are sorted by one number made of their words; the second case has two rows of the same number."""
    given = np.array(rows, np.uint64).reshape(-1, 2)
    found, places = distinct_rows(given)
    assert sorted(map(tuple, found.tolist())) == sorted({tuple(row) for row in rows})
    assert (found[places] == given).all()

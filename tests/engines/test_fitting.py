"""A search in states that have only the room which runs need finds what the search of the declared model finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from checker.backends.native.kernel import NativeKernel, compile_model
from checker.backends.native.lengths import most
from checker.catalogue import find
from checker.engines import fitting, native
from checker.engines.explored import Explored
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import types as t
from checker.ir.facts import may_fail
from checker.ir.fitted import ROOM, fitted, sequences
from checker.ir.model import Parameter
from checker.ir.validate import validate
from checker.language import (
    Distributed,
    Ids,
    Int,
    Map,
    Model,
    Network,
    Process,
    Record,
    Seq,
    Set,
    action,
    choose,
    require,
    rule,
    var,
)
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import invariant, on
from checker.search import simulation
from checker.search.breadth_first import search
from checker.search.limits import Limits
from checker.search.result import SearchResult
from checker.stored.machine_code import directory as machine_code_directory
from checker.stored.sealed import seal_json, unseal_json

FEW = 20

PROTOCOLS = [
    ("isis", {"workload": (1, 1, 0)}),
    ("isis:DeliverAnyFinal", {"workload": (1, 1)}),
    ("isis:IgnoreAgreed", {"workload": (1, 1), "channels": "fifo"}),
    ("causal_broadcast", {"workload": (1, 1, 0)}),
    ("causal_broadcast:Retested", {"workload": (1, 1), "crashes": 1}),
    ("reliable_multicast", {"workload": (1, 1)}),
    ("sequencer", {"workload": (1, 1, 1), "losses": 1}),
]


def explored(definition: Definition, scouted: int, notes: bool = False, **how: Any) -> Explored:
    """All that is reachable, looking at the room after so many states; without what earlier searches noted, unless
    `notes`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fitting, "SCOUTED", scouted)
        if not notes:
            patch.setattr(native, "noted_room", lambda kernel: None)
        return native.explore(Request(definition, stop_at_first=False, **how))


def words(found: Explored) -> int:
    """The words of a state in the search that was believed."""
    assert found.packed is not None
    return found.packed.kernel.words


def told(found: Explored) -> tuple[Any, ...]:
    """What a report is made of."""
    packed = found.packed
    assert packed is not None
    shown = [(f.shown, f.steps, f.path()) for f in found.found]
    counts = (found.distinct, found.transitions, found.depth, found.levels, found.quiescent, found.bound)
    first = [packed.kernel.decode(row) for row in packed.result.states()[:200]]
    return (*counts, found.actions, shown, found.outcomes(), first)


@pytest.mark.parametrize(
    "reference, constants",
    [pytest.param(m, c, id=f"{m} {c}", marks=pytest.mark.thorough if "losses" in c else ()) for m, c in PROTOCOLS],
)
def test_states_with_little_room_tell_the_same(reference: str, constants: dict[str, Any]) -> None:
    """Counts, violations with their runs, outcomes and the order of states; in fewer words."""
    definition = define(find(reference).cls, constants)
    declared, small = explored(definition, 1 << 40), explored(definition, FEW)
    assert told(declared) == told(small)
    assert words(small) < words(declared)


@pytest.mark.parametrize("worth", [False, True])
def test_the_fitted_model_begins_with_optimised_code_where_that_pays(
    worth: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With quick code otherwise; the results are the same."""
    definition = define(find("isis").cls, {"workload": (1, 1, 0)})
    declared = told(explored(definition, 1 << 40))
    asked: list[tuple[float, float]] = []
    quick: list[bool] = []  # of each compilation; the cache may have optimised code for those that may be quick

    def compiled(*arguments: Any, **how: Any) -> NativeKernel:
        quick.append(how["quick"])
        return compile_model(*arguments, **how)

    monkeypatch.setattr(native, "compile_model", compiled)
    monkeypatch.setattr(native, "is_worth", lambda *seconds: asked.append(seconds) or worth)
    monkeypatch.setattr(native, "is_due", lambda name: False)
    assert told(explored(definition, FEW)) == declared
    assert quick == [True, not worth]
    assert asked and all(worked > 0 and seconds > 0 for worked, seconds in asked)


def test_a_limit_on_states_counts_as_if_nothing_were_fitted() -> None:
    """Below and above the number of states after which the room is looked at."""
    definition = define(find("isis").cls, {"workload": (1, 1, 0)})
    for limit in (FEW - 1, FEW, 500):
        limits = Limits(max_states=limit)
        assert told(explored(definition, 1 << 40, limits=limits)) == told(explored(definition, FEW, limits=limits))


class Notes(Model):
    """Interchangeable members, each with a list of members, in states that are merged."""

    Member = Ids("m", 3, symmetric=True)
    notes = var(Map[Member, Seq[Member, 9]])
    last = var(Seq[Member, 9])

    @action
    def note(self, a: Member, b: Member):
        require(len(self.notes[a]) < 2 and len(self.last) < 3)
        self.notes[a].append(b)
        self.last.append(a)


def test_merged_states_and_two_threads_see_the_same() -> None:
    """The representative of an orbit does not depend on the words of a state."""
    definition = define(Notes, {"symmetry": True})
    declared, small = explored(definition, 1 << 40), explored(definition, FEW, threads=2)
    assert told(declared) == told(small)
    assert words(small) < words(declared)


# -- room that turns out too small


LENGTH = 6
Log = Seq[Int(0, 3), LENGTH]


class Lists(Distributed):
    """Each step makes a list longer, in one of the ways there are; `way` is chosen by the test."""

    a = var(Log)
    b = var(Log)
    boxes = var(Map[Process, Log])
    many = var(Seq[Log, 5])
    net = var(Network[Process, Log])
    sums = var(Seq[Int(0, 3), LENGTH + 1])  # of the type of a list with one item more
    padding = var(Map[Process, Seq[Int(0, 63), 9]])

    @action
    def longer(self, p: Process):
        """p makes its list longer."""
        self.lengthen(p)

    def lengthen(self, p):
        """How."""
        raise NotImplementedError

    @rule
    def joined(self, p: Process):
        return self.boxes[p] + [1]

    @invariant
    def shorter_than_four(self):
        return all(len(self.boxes[p]) < 4 for p in self.Process)


class Append(Lists):
    def lengthen(self, p):
        self.boxes[p].append(1)


class Insert(Lists):
    def lengthen(self, p):
        self.boxes[p].insert(0, 2)


class Joined(Lists):
    def lengthen(self, p):
        self.boxes[p] = self.joined(p)


class Comprehended(Lists):
    def lengthen(self, p):
        self.boxes[p] = [min(x + 1, 3) for x in self.boxes[p] + [0]]


class Sorted(Lists):
    def lengthen(self, p):
        self.boxes[p] = sorted(self.boxes[p] + [3])


class Sliced(Lists):
    def lengthen(self, p):
        self.boxes[p] = (self.boxes[p] + [1, 2, 3])[: len(self.boxes[p]) + 1]


class Nested(Lists):
    def lengthen(self, p):
        require(len(self.many) < 5)
        self.boxes[p].append(1)
        self.many.append(self.boxes[p] + [1])


class Sent(Lists):
    def lengthen(self, p):
        require(len(self.net) < 2)
        self.net.send(p, p, self.boxes[p] + [2])

    @on(Lists.net)
    def receive(self, p, q, items):
        self.boxes[p] = items


class Compared(Lists):
    """Two lists that are compared with a third that exists nowhere."""

    def lengthen(self, p):
        require(self.boxes[p] + [1, 1] != [0, 0])
        self.boxes[p].append(1 if self.boxes[p] != self.a + [1, 1] else 0)


class Chosen(Lists):
    """The choice opens the step."""

    def lengthen(self, p):
        x = choose(self.boxes[p] + [1])
        self.boxes[p].append(x)


class Conditional(Lists):
    def lengthen(self, p):
        local = self.boxes[p] if p.index == 0 else self.boxes[p] + [0]
        self.boxes[p] = local + [1] if p.index == 0 else local


WAYS: list[type[Model]] = [
    Append,
    Insert,
    Joined,
    Comprehended,
    Sorted,
    Sliced,
    Nested,
    Sent,
    Compared,
    Chosen,
    Conditional,
]


def nowhere(*_: Any) -> Iterator[Any]:
    """Walks that see nothing, so that a guess is too small."""
    return iter(())


@pytest.mark.parametrize("way", WAYS)
def test_too_little_room_is_no_error_of_the_model(way: type[Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever makes a list longer than was guessed: the declared model is searched, with its own overflow, in the
    line where it happens."""
    monkeypatch.setattr(simulation, "random_walks", nowhere)
    definition = define(way, {"processes": 2})
    declared, small = explored(definition, 1 << 40), explored(definition, 3)
    assert told(declared) == told(small)
    assert words(declared) == words(small)
    assert declared.found, "each way breaks the invariant or overflows"


def test_a_guess_that_is_too_small_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would pass without any guess."""
    tried = list[int]()
    real = native.compile_model
    monkeypatch.setattr(simulation, "random_walks", nowhere)
    monkeypatch.setattr(native, "compile_model", lambda m, **how: tried.append(real(m, **how).words) or real(m, **how))
    explored(define(Append, {"processes": 2}), 3)
    assert tried[0] > tried[1]


# -- what an earlier search noted


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """The words of a state in each search of the test, which has a cache of its own."""
    begun = list[int]()
    real = native.searched
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    def noting(request: Request, kernel: NativeKernel, **how: Any) -> SearchResult:
        begun.append(kernel.words)
        return real(request, kernel, **how)

    monkeypatch.setattr(native, "searched", noting)
    return begun


def test_a_second_search_begins_in_small_states(searches: list[int]) -> None:
    """It finds the same, and nothing is searched twice."""
    definition = define(find("isis").cls, {"workload": (1, 1, 0)})
    first = explored(definition, FEW, notes=True)
    declared, small = searches
    second = explored(definition, FEW, notes=True)
    assert searches == [declared, small, small] and small < declared
    assert told(first) == told(second)


def test_a_search_that_looked_ends_where_the_small_one_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of the declared model waits for the other one, which is complete, and does no more."""
    ended = list[tuple[int, bool]]()

    def noting(kernel: NativeKernel, **how: Any) -> SearchResult:
        result = search(kernel, **how)
        ended.append((kernel.words, result.complete))
        return result

    monkeypatch.setattr(native, "search", noting)
    found = explored(define(find("isis").cls, {"workload": (1, 1, 0)}), FEW)
    assert [complete for _, complete in ended] == [True, False] and ended[0][0] == words(found) < ended[1][0]


def test_a_guess_that_did_not_serve_is_not_tried_again(searches: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The search of the declared model goes on where it looked; the next search of the model is of the declared one."""
    monkeypatch.setattr(simulation, "random_walks", nowhere)
    definition = define(Append, {"processes": 2})
    first = explored(definition, 3, notes=True)
    declared, small = searches
    second = explored(definition, 3, notes=True)
    assert searches == [declared, small, declared] and small < declared
    assert told(first) == told(second)


def test_a_note_that_leaves_too_little_room_decides_nothing(searches: list[int]) -> None:
    """Whatever stands in the note of a search, what is found is the same; less room than a display has is refused."""
    definition = define(find("isis").cls, {"workload": (1, 1, 0)})
    known = explored(definition, FEW, notes=True)
    place = machine_code_directory()
    assert place is not None
    notes = {file: unseal_json("note", 1, file.stem, file.read_bytes(), "note") for file in place.glob("*.json")}
    ((note, held),) = ((file, held) for file, held in notes.items() if "lengths" in held)  # others count seconds
    few, least = dict.fromkeys(held["networks"], 1), [1] * len(held["lengths"])
    for lengths, room, tried in ((held["lengths"], few, True), (least[1:], few, False), (least, {"x": 1}, False)):
        note.write_bytes(seal_json("note", 1, note.stem, {"lengths": lengths, "networks": room}))
        before = len(searches)
        assert told(explored(definition, FEW, notes=True)) == told(known)
        assert (searches[before] < searches[0]) == tried
    note.write_bytes(b"damaged")
    assert told(explored(definition, FEW, notes=True)) == told(known)


# -- what may be shortened, and lengths


class Numbered(Model):
    """Lists that are members of a set and keys of a map have a number each, which depends on their type."""

    listed = var(Set[Record(x=Int(0, 1))])
    plain = var(Seq[Int(0, 1), 9])
    displayed = var(Seq[Int(0, 2), 9])

    @action
    def step(self):
        require(len(self.plain) < 2)
        self.plain.append(1)
        self.displayed = [0, 1, 2]


def test_no_sequence_is_made_shorter_than_what_is_written_down() -> None:
    """A display of three items has room."""
    least = {str(type): n for type, n in sequences(lower(define(Numbered))).items()}
    assert least["Seq[Int(0, 1), 9]"] == 1
    assert least.get("Seq[Int(0, 2), 9]", 9) >= 3


def test_a_note_leaves_no_list_shorter_than_what_is_written_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A display that did not fit would be no error that is noticed, so the note is refused."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kernel = compile_model(lower(define(Numbered)), quick=True)
    room = fitting.declared(kernel)
    fitting.note_room(kernel, room)
    assert fitting.noted_room(kernel) == room
    fitting.note_room(kernel, evolve(room, lengths=(1,) * len(room.lengths)))
    assert fitting.noted_room(kernel) is None


@pytest.mark.parametrize("reference, constants", PROTOCOLS, ids=[f"{m} {c}" for m, c in PROTOCOLS])
def test_a_fitted_model_keeps_the_rules_of_the_representation(reference: str, constants: dict[str, Any]) -> None:
    """With every sequence as short as it can be."""
    model = lower(define(find(reference).cls, constants))
    validate(fitted(model, sequences(model), {}))


def lengths_of(type: t.Type, raw: Any) -> Iterator[tuple[t.Type, int]]:
    """The lengths in an unpacked value."""
    match type:
        case t.Seq(item) | t.Bag(item):
            yield type, len(raw)
            for part in raw:
                yield from lengths_of(item, part)
        case t.Map(_, value):
            for part in raw:
                yield from lengths_of(value, part)
        case t.Optional(item):
            if raw is not None:
                yield from lengths_of(item, raw)
        case t.Record(_, fields):
            for (_, kind), part in zip(fields, raw):
                yield from lengths_of(kind, part)
        case t.Union(_, variants):
            yield from lengths_of(variants[raw[0]], raw[1])


@pytest.mark.parametrize("reference, constants", [*PROTOCOLS, ("toto", {})], ids=str)
def test_lengths_of_packed_states_are_those_of_their_values(reference: str, constants: dict[str, Any]) -> None:
    """Found without unpacking."""
    model = lower(define(find(reference).cls, constants))
    kernel = compile_model(model, quick=True)
    states = search(kernel, limits=Limits(max_states=300)).states()
    types = {v.name: v.type for v in model.variables}
    expected: dict[t.Type, int] = {}
    for row in states:
        for name, raw in kernel.decode(np.ascontiguousarray(row)).items():
            for type, length in lengths_of(types[name], raw):
                expected[type] = max(expected.get(type, 0), length)
    found = most(kernel.layout, types, states)
    assert {k: n for k, n in found.items() if n} == {k: n for k, n in expected.items() if n}


class Judged(Lists):
    """A property makes a list longer than any that the protocol has."""

    @invariant
    def joined_is_longer(self):
        return all(len(self.sums) == 0 or self.sums + [1, 2] != self.sums for p in self.Process)

    @rule
    def tail(self, p: Process):
        return self.boxes[p][1:]

    @invariant
    def tails_are_shorter(self):
        return all(len(self.tail(p)) < 5 for p in self.Process)

    def lengthen(self, p):
        require(len(self.boxes[p]) < 2)
        self.boxes[p].append(1)


def test_what_a_property_makes_keeps_its_type() -> None:
    """Leads-to, vacuity and blocked guards ask for parts of properties and conditions after the search, when too little
    room would be an error of the model."""
    made = {str(type) for type in sequences(lower(define(Judged)))}
    assert "Seq[Int(0, 63), 9]" in made
    assert f"Seq[Int(0, 3), {LENGTH}]" not in made


def test_a_list_of_a_rule_keeps_its_type() -> None:
    """A rule may put items into it; the front end gives such lists more room than the variables, back ends rely on
    nothing."""
    model, log = lower(define(Append)), t.Seq(t.Int(0, 3), LENGTH)
    assert log in sequences(model)
    rule = evolve(model.functions[0], locals=(Parameter("items", t.Map(t.Bool(), log)),))
    assert log not in sequences(evolve(model, functions=(rule, *model.functions[1:])))


def test_what_asks_for_more_room_may_fail() -> None:
    """A choice among such items is no opening of a step, whose iterable is evaluated outside of it."""
    item, empty = t.Int(0, 1), e.MakeSeq(t.Seq(t.Int(0, 1), 1), ())
    assert not may_fail(e.Concat(t.Seq(item, 2), empty, empty))
    assert may_fail(e.Concat(t.Seq(item, 1, ROOM), empty, empty))

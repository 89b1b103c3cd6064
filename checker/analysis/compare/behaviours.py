"""Weak trace inclusion: whether every sequence of events of the edit is one of the base, and the reverse.

The comparison is about the events that runs emit (multicasts, deliveries, crashes and all other events that both models
emit), and about where a run may be over (no action but faults is enabled). Sends and receipts, states and the number of
steps do not matter, so the models may have different variables.  Both graphs are explored
(checker.analysis.compare.event_graph), and bisimilar nodes are merged (checker.analysis.compare.quotient).  Then both
quotients are determinized by the subset construction and walked in parallel, shortest sequences first: each side is the
set of classes to which the events so far may have led. The set has exactly the continuations of the model, so the
answer is exact, and the first sequence of one side alone is a shortest one.

Where it stops: the number of sets can be exponential; nothing is claimed about sequences that were not compared in the
given seconds.  Sequences are finite: a protocol that runs for ever without an event, where the other one ends, differs
only by the end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import define as mutable
from attrs import field

from checker.analysis.compare.event_graph import EventGraph, Numbers, interpreted_graph, native_graph, shortest_run
from checker.analysis.compare.events import Kinds, alphabet, word_of
from checker.analysis.compare.quotient import CLASS, EVENT, Quotient, quotient
from checker.analysis.compare.side import Side
from checker.analysis.compare.steps_native import Allowance
from checker.backends.interpreter.interpreter import Interpreter, Step
from checker.engines.registry import declared
from checker.replay.marked import mark_cause
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.results.comparison import END, BehaviourDifference, Separation, Word
from checker.results.validated import together

ADDED, REMOVED = "events that only the edit has", "events that only the base has"


def behaviour_difference(
    base: Side, edit: Side, seconds: float, engine: str = "interpreter"
) -> BehaviourDifference | None:
    """Compare the sequences of events for at most the given time; None if the models emit no event."""
    sides, left_out = alphabet((base.definition, edit.definition), (base.label, edit.label))
    if not sides[0]:
        return BehaviourDifference(0, False, (0, 0), left_out) if left_out else None
    allowance, events = Allowance(seconds), dict[str, int]()
    graphs: list[EventGraph] = []
    for side, kinds in zip((base, edit), sides):
        if declared(engine).keeps_states:
            found = native_graph(side, kinds, events, allowance)
        else:
            with allowance.running() as deadline:
                found = interpreted_graph(side.definition, kinds, events, deadline)
        if isinstance(found, int):
            return BehaviourDifference(0, False, (0, 0), left_out, side.label, found)
        graphs.append(found)
    first, second = graphs
    states = first.states, second.states
    with allowance.running() as deadline:
        classes = quotient((first, second), deadline)
        if classes is None:
            return BehaviourDifference(0, False, states, left_out)
        walk = Walk(Sets(classes), second.events, deadline)
        walk.run()
    return BehaviourDifference(
        len(walk.came),
        walk.complete,
        states,
        left_out,
        added=_separation(second, walk.added, edit.replay(engine, base.cls), sides[1], ADDED),
        removed=_separation(first, walk.removed, base.replay(engine), sides[0], REMOVED),
        validation=together(g.validation for g in graphs),
    )


def _separation(
    graph: EventGraph, word: Word | None, replay: Replay, kinds: Mapping[str, Kinds], name: str
) -> Separation | None:
    if word is None:
        return None
    over = word[-1:] == (END,)
    run = list(shortest_run(graph, word[:-1] if over else word, over))
    states = [graph.raw(number) for number, _ in run]
    taken = zip(states, states[1:], run[1:])
    steps = [_step(replay.interpreter, before, after, word, kinds) for before, after, (_, word) in taken]
    trace = replay.build(states, steps, Shown("reachable", name))
    if replay.base is not None:
        trace = mark_cause(trace, replay.interpreter, replay.base, states, replay.alike)
    return Separation(word, trace)


def _step(interpreter: Interpreter, before: Any, after: Any, word: Word, kinds: Mapping[str, Kinds]) -> Step:
    """The step between two states that emits these events, taken by the interpreter."""
    return next(s for s in interpreter.steps(before) if s.after == after and word_of(s.events, kinds) == word)


# -- the walk ----------------------------------------------------------------------------------------------------------


@mutable(eq=False)
class Sets:
    """Sets of classes, numbered by the events that may come next; sets with the same continuations have one number."""

    quotient: Quotient
    # by event the classes to which it leads; whether the run may be over
    next: list[tuple[dict[int, bytes], bool]] = field(factory=list)
    _numbers: dict[bytes, int] = field(factory=dict)
    _known: dict[bytes, int] = field(factory=dict)
    _rounds: int = 0
    _stamps: Numbers = field(init=False)  # by class: the round in which it was last met, and where
    _places: Numbers = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stamps, self._places = np.zeros((2, len(self.quotient.ends)), np.int64)

    def number(self, classes: bytes) -> int:
        """The number of a set, given as its sorted classes."""
        known = self._known.get(classes)
        if known is None:
            known = self._known[classes] = self._numbered(self._closed(np.frombuffer(classes, np.int64)))
        return known

    def _numbered(self, classes: Numbers) -> int:
        over = bool(self.quotient.ends[classes].any())
        moves = np.unique(self.quotient.loud.of_all(classes))
        number = self._numbers.setdefault(moves.tobytes() + bytes([over]), len(self.next))
        if number == len(self.next):
            events, targets = (moves >> EVENT) - 1, moves & CLASS
            places = [0, *(np.flatnonzero(np.diff(events)) + 1).tolist(), len(moves)] if len(moves) else []
            self.next.append(({int(events[a]): targets[a:b].tobytes() for a, b in zip(places, places[1:])}, over))
        return number

    def _closed(self, classes: Numbers) -> Numbers:
        """These classes, and all classes that steps without events reach from them."""
        if not len(self.quotient.silent.values):
            return classes
        self._rounds += 1
        parts = []
        while len(classes):
            self._stamps[classes] = self._rounds
            parts.append(classes)
            classes = self.quotient.silent.of_all(classes)
            classes = classes[self._stamps[classes] != self._rounds]
            self._places[classes] = np.arange(len(classes))
            classes = classes[self._places[classes] == np.arange(len(classes))]  # each once
        return np.concatenate(parts) if parts else classes


Pair = tuple[int, int]


@mutable(eq=False)
class Walk:
    """Sequences that both sides have, shortest first; sets of the same number have the same continuations."""

    sets: Sets
    events: tuple[str, ...]
    deadline: float
    came: dict[Pair, tuple[Pair, int] | None] = field(factory=dict)
    added: Word | None = None
    removed: Word | None = None
    complete: bool = False

    def run(self) -> None:
        """Walk until both differences are found, everything was compared, or the time is over."""
        base, edit = (self.sets.number(start.tobytes()) for start in self.sets.quotient.starts)
        self.came[base, edit] = None
        for pair in (queue := [(base, edit)]):
            if time.monotonic() > self.deadline or (self.added is not None and self.removed is not None):
                return
            if pair[0] != pair[1]:
                queue += self._compared(pair)
        self.complete = True

    def _compared(self, pair: Pair) -> list[Pair]:
        """Record the events that one side alone emits; return the new pairs to which events of both sides lead."""
        (base, base_over), (edit, edit_over) = (self.sets.next[number] for number in pair)
        if self.added is None:
            self.added = self._alone(pair, edit, base, edit_over and not base_over)
        if self.removed is None:
            self.removed = self._alone(pair, base, edit, base_over and not edit_over)
        found = []
        for event in sorted(base.keys() & edit.keys(), key=self.events.__getitem__):
            following = (self.sets.number(base[event]), self.sets.number(edit[event]))
            if following not in self.came:
                self.came[following] = (pair, event)
                found.append(following)
        return found

    def _alone(self, pair: Pair, mine: Mapping[int, bytes], other: Mapping[int, bytes], over: bool) -> Word | None:
        """The sequence to this pair, followed by an event (or an end) that the other side does not have."""
        alone = sorted(self.events[event] for event in mine.keys() - other.keys()) or ([END] if over else [])
        return (*self._word(pair), alone[0]) if alone else None

    def _word(self, pair: Pair) -> Word:
        events: list[str] = []
        while (before := self.came[pair]) is not None:
            events.append(self.events[before[1]])
            pair = before[0]
        return tuple(reversed(events))

"""Behaviours: does every sequence of events of the edit exist in the base, and the other way round?

What is compared is what runs tell: multicasts, deliveries, crashes and whatever else both models emit, and that a run may be over (nothing but faults can happen any more).
Sends and receipts, states and the number of steps do not count, so the models may have different variables.  Both graphs are explored (checker.compare.event_graph)
and walked side by side, each as the set of nodes in which the events told so far can have led (subset construction), sequences nearest first.  A set has no
fewer continuations than the model, so the answer is exact, and the first sequence of one side alone is a shortest one.

Where it stops: sets can be exponentially many; what was not compared in the seconds given is not claimed.  Sequences are finite: a protocol that goes round for ever without
an event, where the other comes to an end, differs by the end alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from attrs import define as mutable
from attrs import field, frozen

from checker.backends.interpreter.interpreter import Interpreter, Step
from checker.compare.cause import mark_cause
from checker.compare.event_graph import (
    EventGraph,
    Numbers,
    Word,
    interpreted_graph,
    native_graph,
    shortest_run,
)
from checker.compare.events import Kinds, alphabet, event_text
from checker.engines.replay import Replay, Shown
from checker.language.define import define
from checker.language.model import Model
from checker.trace.trace import Trace

END = "the end of the run"
ADDED, REMOVED = "events that only the edit has", "events that only the base has"


@frozen
class Separation:
    """A shortest sequence of events that one side alone has, the last of which (END: that the run is over) is the difference; and a shortest run that has them."""

    events: Word
    trace: Trace


@frozen
class BehaviourDifference:
    """sequences: how many sets of common behaviour were compared, and whether those were all; states of both; what was left out; and the differences.

    unexplored: the model whose states could not be explored in time (then nothing was compared); "" if both were.
    """

    sequences: int
    complete: bool
    states: tuple[int, int]
    left_out: tuple[str, ...]
    unexplored: str
    added: Separation | None = None
    removed: Separation | None = None


def behaviour_difference(
    base: type[Model], edit: type[Model], constants: tuple[Mapping[str, Any], Mapping[str, Any]], labels: tuple[str, str], seconds: float,
    engine: str = "interpreter",
) -> BehaviourDifference | None:  # fmt: skip
    """Compare the behaviours for at most so long; None if the models emit nothing."""
    definitions = define(base, constants[0], []), define(edit, constants[1], [])
    common = alphabet(definitions, labels)
    if not common.sides[0]:
        return BehaviourDifference(0, False, (0, 0), common.left_out, "") if common.left_out else None
    deadline, events = time.monotonic() + seconds, dict[str, int]()
    graphs: list[EventGraph | None] = []
    for cls, given, definition, kinds in zip((base, edit), constants, definitions, common.sides):
        if engine == "native":
            graphs.append(native_graph(cls, given, kinds, events, deadline))
        else:
            graphs.append(interpreted_graph(definition, kinds, events, deadline))
        if graphs[-1] is None:
            return BehaviourDifference(0, False, (0, 0), common.left_out, labels[len(graphs) - 1])
    first, second = graphs
    assert first is not None and second is not None
    walk = _Walk((_Side(first), _Side(second)), second.events, deadline)
    walk.run()
    added = None if walk.added is None else _separation(second, walk.added, Replay(Interpreter(definitions[1]), labels[1], engine, base), common.sides[1], ADDED)
    removed = None if walk.removed is None else _separation(first, walk.removed, Replay(Interpreter(definitions[0]), labels[0], engine), common.sides[0], REMOVED)
    return BehaviourDifference(len(walk.came), walk.complete, (first.states, second.states), common.left_out, "", added, removed)


def _separation(graph: EventGraph, word: Word, replay: Replay, kinds: Mapping[str, Kinds], name: str) -> Separation:
    over = word[-1:] == (END,)
    run = list(shortest_run(graph, word[:-1] if over else word, over))
    states = [graph.raw(number) for number, _ in run]
    steps = [_step(replay.interpreter, before, after, told, kinds) for before, after, (_, told) in zip(states, states[1:], run[1:])]
    trace = replay.told(states, steps, Shown("reachable", name))
    return Separation(word, trace if replay.base is None else mark_cause(trace, replay.definition, replay.base, states[0]))


def _step(interpreter: Interpreter, before: Any, after: Any, told: Word, kinds: Mapping[str, Kinds]) -> Step:
    """The step between two states that tells these events, as the interpreter takes it."""
    return next(s for s in interpreter.steps(before) if s.after == after and tuple(t for e in s.events if (t := event_text(e, kinds)) is not None) == told)


# -- the walk ----------------------------------------------------------------------------------------------------------

Key = tuple[bytes, bytes]


@mutable(eq=False)
class _Side:
    """A graph, and what sets of its nodes can tell next."""

    graph: EventGraph
    stamps: Numbers = field(init=False)
    rounds: int = 0
    known: dict[bytes, tuple[dict[int, bytes], bool]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.stamps = np.zeros(len(self.graph.ends), np.int64)

    def start(self) -> bytes:
        """The set of initial states."""
        return np.arange(self.graph.initial, dtype=np.int64).tobytes()

    def next(self, nodes: bytes) -> tuple[dict[int, bytes], bool]:
        """By event the nodes to which it leads, after any number of steps without events; and whether the run may be over."""
        if nodes not in self.known:
            every = self._closed(np.frombuffer(nodes, np.int64))
            found = np.unique(self.graph.loud.of_all(every))
            targets, events = found >> 32, found & 0xFFFFFFFF
            parts = {int(event): targets[events == event].tobytes() for event in np.unique(events)}
            self.known[nodes] = parts, bool(self.graph.ends[every].any())
        return self.known[nodes]

    def _closed(self, nodes: Numbers) -> Numbers:
        """These nodes and all that steps without events lead to."""
        self.rounds += 1
        parts = []
        while len(nodes):
            self.stamps[nodes] = self.rounds
            parts.append(nodes)
            nodes = self.graph.silent.of_all(nodes)
            nodes = np.unique(nodes[self.stamps[nodes] != self.rounds])
        return np.concatenate(parts) if parts else nodes


@mutable(eq=False)
class _Walk:
    """Sequences that both sides have, shortest first."""

    sides: tuple[_Side, _Side]
    events: tuple[str, ...]
    deadline: float
    came: dict[Key, tuple[Key, int] | None] = field(factory=dict)
    added: Word | None = None
    removed: Word | None = None
    complete: bool = False

    def run(self) -> None:
        """Walk until both differences are found, everything was compared, or the time is over."""
        start = (self.sides[0].start(), self.sides[1].start())
        self.came[start] = None
        for key in (queue := [start]):
            if time.monotonic() > self.deadline or (self.added is not None and self.removed is not None):
                return
            (base, base_over), (edit, edit_over) = (side.next(nodes) for side, nodes in zip(self.sides, key))
            if self.added is None:
                self.added = self._alone(key, edit, base, edit_over and not base_over)
            if self.removed is None:
                self.removed = self._alone(key, base, edit, base_over and not edit_over)
            for event in sorted(base.keys() & edit.keys(), key=self.events.__getitem__):
                following = (base[event], edit[event])
                if following not in self.came:
                    self.came[following] = (key, event)
                    queue.append(following)
        self.complete = True

    def _alone(self, key: Key, mine: Mapping[int, bytes], other: Mapping[int, bytes], over: bool) -> Word | None:
        """The sequence that leads here and on with an event (or an end) that the other does not have."""
        alone = sorted(self.events[event] for event in mine.keys() - other.keys()) or ([END] if over else [])
        return (*self._told(key), alone[0]) if alone else None

    def _told(self, key: Key) -> Word:
        events: list[str] = []
        while (before := self.came[key]) is not None:
            events.append(self.events[before[1]])
            key = before[0]
        return tuple(reversed(events))


# -- lines of a report -------------------------------------------------------------------------------------------------


def behaviour_lines(found: BehaviourDifference) -> Iterable[tuple[str, str]]:
    """Lines (text, style) of a report."""
    if found.left_out:
        yield f"left out: {'; '.join(found.left_out)}", "dim"
    if not any(found.states) and not found.unexplored:
        yield "not compared: the two have no event in common", "yellow"
        return
    if found.unexplored:
        yield f"not decided: {found.unexplored} was not explored in time (--events SECONDS)", "yellow"
        return
    if found.added is None and found.removed is None:
        if found.complete:
            yield f"the two have the same behaviours: every sequence of events of one is one of the other ({found.sequences:,} sets of states compared)", "green"
        else:
            yield f"no difference in the first {found.sequences:,} sets of states, shortest sequences first; longer ones were not compared (--events SECONDS)", "yellow"
        return
    for separation, sign, side, other, style in ((found.added, "+", "edit", "base", "green"), (found.removed, "-", "base", "edit", "red")):
        yield f"{sign} {_told(found, separation, side, other)}", style if separation is not None else "dim"


def _told(found: BehaviourDifference, separation: Separation | None, side: str, other: str) -> str:
    """What a side tells that the other does not."""
    if separation is None and found.complete:
        return f"every behaviour of the {side} is one of the {other} ({found.sequences:,} sets of states compared)"
    if separation is None:
        return f"no behaviour that the {side} has alone, in the first {found.sequences:,} sets of states, shortest sequences first (--events SECONDS)"
    return f"only the {side}: {events_text(separation)} (a run of {len(separation.trace.steps)} steps)"


def events_text(separation: Separation) -> str:
    """multicast(p1, m1.1), then deliver(p1, m1.1)."""
    *before, last = separation.events
    return f"{', '.join(before)}, then {last}" if before else f"{last}, at once"


def separating(found: BehaviourDifference | None) -> list[Trace]:
    """The runs that tell the two apart."""
    return [] if found is None else [s.trace for s in (found.added, found.removed) if s is not None]

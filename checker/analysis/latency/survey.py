"""Delays and messages of a model, over all its runs: explore an instrumented copy, and read its history variables.

Delays are read from every reachable state, messages from quiescent states, so a protocol without quiescent states has
no number of messages. The result holds for all runs only if the search was complete; otherwise the least values are
upper bounds and the greatest values lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checker.analysis.latency.measures import MANY, Messages, delays, instrumented, largest, times, unit
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.engines.explored import Explored, Packed, Phases, too_late
from checker.engines.native import state_of
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.ir.values import key
from checker.language.define import define
from checker.language.definition import Definition, VariableDefinition
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.properties import Property
from checker.replay.replay import Replay
from checker.results.latency import MessageDelays, Span, Survey
from checker.results.validated import Validation, together
from checker.search.deadline import OutOfTime
from checker.search.limits import Limits
from checker.trace.trace import Trace

# chains so long or longer count alike: in the first search, and in a second one if that did not suffice
LENGTHS = (14, 62)


def survey(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    until: str = "deliver",
    threads: int = 1,
    limits: Limits = Limits(),
    progress: Any = None,
    slowest: bool = False,
) -> Survey:
    """Measure a model, up to the event `until`(process, message).  slowest: keep a run with the greatest delay.

    Raises UsageError if it multicasts nothing, has neither a network nor time, or no such event.
    """
    phases, limits, validations = Phases(), limits.begun(), list[Validation | None]()
    plain = define(cls, constants, [])
    measured = unit(plain)

    def measuring(measure: type[Property]) -> tuple[Definition, Explored, Packed]:
        definition = define(instrumented(cls, measure), constants, [measure.__name__])
        found = explore(Request(definition, threads=threads, limits=limits, progress=progress, phases=phases))
        if found.packed is None:
            raise too_late(OutOfTime(found.before))
        validations.append(found.validation)
        return definition, found, found.packed

    for most in LENGTHS if measured == "messages" else (None,):
        definition, explored, packed = measuring(times(largest(plain), until) if most is None else delays(most, until))
        reading = _Reading(plain, definition, packed, most)
        if not reading.beyond:
            break
    if explored.complete and not reading.found:
        what = f"no run of {plain.name} has an event {until}(process, message) of a message multicast"
        raise UsageError(what, remedy="Name an event that the model emits, or raise the constants.")
    sent, counted = None, 0
    complete, bound = explored.complete, explored.bound
    if any(v.network is not None for v in plain.variables):
        _, counting, states_of_counting = measuring(Messages)
        counted = counting.distinct
        complete, bound = complete and counting.complete, bound or counting.bound
        sent = _sent(states_of_counting)
    found = tuple(reading.messages()), sent, sum(definition.constants["workload"]), complete, bound
    states, seconds = (explored.distinct, counted), sum(phases.seconds.values())
    run = reading.slowest(reference) if slowest else None
    return Survey(reference, definition.constants, until, measured, *found, states, seconds, together(validations), run)


def _sent(packed: Packed) -> Span | None:
    ends = packed.result.states()[packed.result.quiescent_indices]
    if not len(ends):
        return None
    rows = np.unique(ends & packed.kernel.mask(["Messages.count"]), axis=0)
    counts = [packed.kernel.decode(row)["Messages.count"] for row in rows]
    return Span(min(counts), max(counts), max(counts) >= MANY)


class _Reading:
    """Reads the history from states of the instrumented copy.  Packed states are masked to the history, so that each
    combination is decoded once.
    """

    def __init__(self, plain: Definition, definition: Definition, packed: Packed, most: int | None) -> None:
        self.plain = plain
        self.definition, self.packed, self.most = definition, packed, most
        self.model = definition.model.of(definition)
        self.Process, self.Message = definition.types["Process"].members, definition.types["Message"].members
        history = "Delays.tracked", "Delays.delay", "Delays.hops", "Delays.begun", "crashed"
        self.mask = self.packed.kernel.mask([v.name for v in definition.variables if v.name in history])
        rows = self.packed.result.states() & self.mask
        self.rows, self.first_index = np.unique(rows, axis=0, return_index=True)
        ends = self.packed.result.states()[self.packed.result.quiescent_indices] & self.mask
        self.ends = {row.tobytes() for row in np.unique(ends, axis=0)} if len(ends) else set()
        self.decoded = [self._decoded(row) for row in self.rows]
        self.found = any(any(delay) for _, delay, _, _ in self.decoded)
        self.beyond = most is not None and any(most + 1 in delay for _, delay, _, _ in self.decoded)

    def _decoded(self, row: NDArray[np.uint64]) -> tuple[int, tuple[int, ...], bool, frozenset[int]]:
        """The number of the message, delays by process, whether the message was multicast, and the crashed
        processes."""
        values = self.packed.kernel.decode(row)
        begun = any(values["Delays.hops"]) if "Delays.hops" in values else values["Delays.begun"] > 0
        crashed = self.definition.variable("crashed").domain.from_raw(values["crashed"]) if "crashed" in values else ()
        delay = tuple(values["Delays.delay"])
        return values["Delays.tracked"], delay, begun, frozenset(p.index for p in crashed)

    def messages(self) -> Iterable[MessageDelays]:
        """The delays of each message that is ever multicast."""
        for number, message in enumerate(self.Message):
            if number < sum(self.definition.constants["workload"]):
                yield self._of(number, message)

    def _of(self, number: int, message: Any) -> MessageDelays:
        sender = self.model.sender(message)
        wanted = {p.index for p in self.Process if self.model.destination(p, message)}
        where: dict[str, list[int]] = {}
        firsts, lasts, missed = [], [], False
        for row, (tracked, delay, begun, crashed) in zip(self.rows, self.decoded):
            if tracked != number:
                continue
            for p in self.Process:
                if delay[p.index]:
                    where.setdefault(self._place(p, sender), []).append(delay[p.index] - 1)
            live = wanted - crashed
            if live and all(delay[i] for i in live):
                firsts.append(min(d for d in delay if d) - 1)
                lasts.append(max(delay) - 1)
            elif begun and live and sender.index not in crashed and row.tobytes() in self.ends:
                missed = True
        order = ("sender", "others", "own group", "other groups")
        spans = {name: self._span(where[name]) for name in order if name in where}
        first, last = (self._span(found) if found else None for found in (firsts, lasts))
        return MessageDelays(repr(message), spans, first, last, missed)

    def _place(self, p: Any, sender: Any) -> str:
        if p == sender:
            return "sender"
        if not hasattr(self.model, "group"):
            return "others"
        return "own group" if self.model.group(p) == self.model.group(sender) else "other groups"

    def _span(self, found: list[int]) -> Span:
        return Span(min(found), max(found), self.most is not None and max(found) >= self.most)

    def slowest(self, reference: str) -> Trace | None:
        """A run to the greatest delay."""
        worst = max((max(delay) for _, delay, _, _ in self.decoded), default=0)
        if not worst:
            return None
        index = min(int(i) for i, (_, delay, _, _) in zip(self.first_index, self.decoded) if max(delay) == worst)
        kernel, result = self.packed.kernel, self.packed.result
        path = [self._without_history(state_of(self.definition, kernel, row)) for row in result.path(index)]
        return Replay(Interpreter(self.plain), reference, "native").run(path, "slowest")

    def _without_history(self, state: Raw) -> Raw:
        """The state of the model itself: without the history variables, and without the fields of messages for them."""
        values = dict(zip((v.name for v in self.definition.variables), state))
        own = ((v, values[v.name]) for v in self.plain.variables)
        return tuple(raw if v.network is None else _without_chains(v, raw) for v, raw in own)


def _without_chains(variable: VariableDefinition, content: Raw) -> Raw:
    assert variable.network is not None
    if variable.network.fifo:
        return tuple(tuple(tuple(item[0] for item in queue) for queue in row) for row in content)
    assert variable.network.message is not None
    message = variable.network.message.ir
    return tuple(sorted((item[:3] for item in content), key=lambda raw: key(message, raw)))

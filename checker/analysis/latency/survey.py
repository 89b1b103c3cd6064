"""Delays and messages of a model, over all its runs: explore an instrumented copy, and read its history variables.

Delays are read from every reachable state, messages from quiescent states, so a protocol without quiescent states has
no number of messages. Both are read where the states are, in memory, in files or in tasks, as the different
combinations of values of the history variables; the run to the greatest delay is rebuilt from the levels. The result
holds for all runs only if the search was complete; otherwise the least values are upper bounds and the greatest values
lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from checker.analysis.latency.measures import MANY, Messages, delays, instrumented, largest, times, unit
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.engines.checkpointed import place_below
from checker.engines.committed import work_directory_errors
from checker.engines.explored import Explored, Phases, too_late
from checker.engines.native import state_of
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.engines.request import Request, Sought
from checker.engines.survey import Survey as AllStates
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
from checker.search.folders import folder_at
from checker.search.limits import Limits
from checker.search.workdir import WorkDirectory
from checker.trace.trace import Trace

# chains so long or longer count alike: in the first search, and in a second one if that did not suffice
A_MEASURE = Sought("latency", "that measures", "up to another event or of another model")
LENGTHS = (14, 62)


def survey(
    cls: type[Model],
    reference: str,
    constants: Mapping[str, Any] | None = None,
    *,
    until: str = "deliver",
    engine: str = "native",
    threads: int = 1,
    limits: Limits = Limits(),
    progress: Any = None,
    slowest: bool = False,
    placement: Placement = Placement(),
) -> Survey:
    """Measure a model, up to the event `until`(process, message).  slowest: keep a run with the greatest delay;
    placement: each of the searches has a directory of its own in the work directory.

    Raises UsageError if it multicasts nothing, has neither a network nor time, or no such event.
    """
    phases, limits, validations = Phases(), limits.begun(), list[Validation | None]()
    plain = define(cls, constants, [])
    measured = unit(plain)

    def measuring(measure: type[Property], name: str) -> tuple[Definition, Explored]:
        only = [measure.__name__]
        definition = define(instrumented(cls, measure), constants, only)
        where = _place(placement, name)
        means = {"engine": engine, "threads": threads, "limits": limits, "progress": progress, "phases": phases}
        found = explore(Request(definition, reference, only, placement=where, sought=A_MEASURE, **means))
        if found.survey is None:
            raise too_late(OutOfTime(found.before))
        validations.append(found.validation)
        return definition, found

    for most in LENGTHS if measured == "messages" else (None,):
        measure = times(largest(plain), until) if most is None else delays(most, until)
        definition, explored = measuring(measure, "delays" if most is None else f"delays-{most}")
        reading = _Reading(plain, definition, explored, most)
        if not reading.beyond:
            break
    if explored.complete and not reading.found:
        what = f"no run of {plain.name} has an event {until}(process, message) of a message multicast"
        raise UsageError(what, remedy="Name an event that the model emits, or raise the constants.")
    run = reading.slowest(reference) if slowest else None
    sent, counted = None, 0
    complete, bound, limit = explored.complete, explored.bound, explored.limit
    if any(v.network is not None for v in plain.variables):
        _, counting = measuring(Messages, "messages")
        counted = counting.distinct
        complete, bound = complete and counting.complete, bound or counting.bound
        limit = limit or counting.limit
        sent = _sent(counting)
    found = tuple(reading.messages()), sent, sum(definition.constants["workload"]), complete, bound
    states, seconds = (explored.distinct, counted), sum(phases.seconds.values())
    ended = states, seconds, together(validations), run, limit
    return Survey(reference, definition.constants, until, measured, *found, *ended)


def _place(placement: Placement, name: str) -> Placement:
    """The place of one of several searches: a directory of its own in the work directory, where it is resumed."""
    if placement.workdir is None:
        return placement
    with work_directory_errors():
        folder = folder_at(placement.workdir)
        if WorkDirectory.holds_search(folder):
            what = f"{folder} holds a search of another command"
            raise UsageError(what, remedy="Name another work directory.")
        return place_below(placement, name)


def _states(explored: Explored) -> AllStates:
    assert explored.survey is not None
    return explored.survey()


def _sent(explored: Explored) -> Span | None:
    name = "Messages.count"
    states = _states(explored)
    rows, _ = states.values([name], rest=True)
    counts = [states.kernel.decode(row)[name] for row in rows]
    return Span(min(counts), max(counts), max(counts) >= MANY) if counts else None


class _Reading:
    """Reads the history from states of the instrumented copy: each combination of its values is decoded once."""

    def __init__(self, plain: Definition, definition: Definition, explored: Explored, most: int | None) -> None:
        self.plain = plain
        self.definition, self.explored, self.most = definition, explored, most
        self.states = _states(explored)
        self.model = definition.model.of(definition)
        self.Process, self.Message = definition.types["Process"].members, definition.types["Message"].members
        history = "Delays.tracked", "Delays.delay", "Delays.hops", "Delays.begun", "crashed"
        self.history = [v.name for v in definition.variables if v.name in history]
        self.rows, self.first_level = self.states.values(self.history)
        self.ends = {row.tobytes() for row in self.states.values(self.history, rest=True)[0]}
        self.decoded = [self._decoded(row) for row in self.rows]
        self.found = any(any(delay) for _, delay, _, _ in self.decoded)
        self.beyond = most is not None and any(most + 1 in delay for _, delay, _, _ in self.decoded)

    def _decoded(self, row: NDArray[np.uint64]) -> tuple[int, tuple[int, ...], bool, frozenset[int]]:
        """The number of the message, delays by process, whether the message was multicast, and the crashed
        processes."""
        values = self.states.kernel.decode(row)
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
        those = np.array([max(delay) == worst for _, delay, _, _ in self.decoded])
        level = int(self.first_level[those].min())
        run = self.states.run_to(self.history, self.rows[those & (self.first_level == level)], level)
        path = [self._without_history(state_of(self.definition, self.states.kernel, row)) for row in run]
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

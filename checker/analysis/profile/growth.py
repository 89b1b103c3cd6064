"""Growth without bound: a run that returns to the same state with more messages in flight can be repeated for ever.

A model is infinite if, for example, a guard does not test whether a message was sent already; no smaller constant makes
it finite.  The search goes level by level, so the states furthest from the start show such growth.  On the runs to
those with most messages, two states are looked for that are equal except for messages, where all messages of the first
are among those of the second (in a FIFO network: at the front of the same queues).  The steps between the two states
are enabled again in the second, unless a guard requires that no message is in flight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from checker.analysis.profile.reaching import Reaching, Source
from checker.contract import States
from checker.language.definition import Definition, VariableDefinition
from checker.results.profile import Growth

LAST_STATES, RUNS = 150, 8
"""How many states of the last level are examined, and for how many of them a run is made."""


def endless_growth(definition: Definition, source: Source) -> Growth | None:
    """A network that grows without bound, if the states of an incomplete search show one."""
    networks = [v for v in definition.variables if v.network is not None]
    if not networks or source.depth < 2:
        return None
    rows = source.last(LAST_STATES)
    last = [source.kernel.decode(row) for row in rows]
    fullest = sorted(range(len(rows)), key=lambda i: -sum(_in_flight(v, last[i][v.name]) for v in networks))[:RUNS]
    for run in source.runs(rows[fullest]):
        for earlier, later in _comes_back(source, networks, run):
            found = _senders(source, networks, run[earlier : later + 1])
            if found is not None:
                network, sender, actions = found
                most = max(_in_flight(network, state[network.name]) for state in last)
                return Growth(network.name, most, source.depth - 1, actions, sender)
    return None


def _comes_back(source: Source, networks: list[VariableDefinition], run: States) -> Iterator[tuple[int, int]]:
    """The places of two states on a run that differ in messages alone, where the later state has all messages of the
    earlier one and more; the pair nearest to the end comes first.
    """
    rest = ~source.kernel.mask([v.name for v in networks])
    alike: dict[bytes, list[int]] = defaultdict(list)
    for place in reversed(range(len(run))):
        alike[(run[place] & rest).tobytes()].append(place)
    for places in alike.values():
        states = {n: source.kernel.decode(run[n]) for n in (places if len(places) > 1 else ())}
        yield from (
            (earlier, later)
            for later, earlier in pairwise(places)
            if all(_among(v, states[earlier][v.name], states[later][v.name]) for v in networks)
        )


def _among(network: VariableDefinition, few: Any, many: Any) -> bool:
    """Whether the messages of one state are among those of another, and no other message blocks them there (FIFO)."""
    if _fifo(network):
        return all(queue == other[: len(queue)] for row, others in zip(few, many) for queue, other in zip(row, others))
    return Counter(few) <= Counter(many)


def _in_flight(network: VariableDefinition, messages: Any) -> int:
    return sum(len(queue) for row in messages for queue in row) if _fifo(network) else len(messages)


def _fifo(network: VariableDefinition) -> bool:
    return network.network is not None and network.network.fifo


def _senders(
    source: Source, networks: list[VariableDefinition], run: States
) -> tuple[VariableDefinition, str, tuple[str, ...]] | None:
    """The network that has more messages at the end of a run than at its beginning, the action that sent most of them,
    and all actions; None where they are not known.
    """
    states = [source.kernel.decode(row) for row in run]
    network = max(networks, key=lambda v: _in_flight(v, states[-1][v.name]) - _in_flight(v, states[0][v.name]))
    finder, sent = Reaching(source.kernel), Counter[str]()
    for rows, (before, after) in zip(pairwise(run), pairwise(states)):
        action = finder.action(*rows)
        if action is None:
            return None
        more = _in_flight(network, after[network.name]) - _in_flight(network, before[network.name])
        sent[source.kernel.actions[action]] += more
    return network, max(sent, key=lambda name: sent[name]), tuple(sent)

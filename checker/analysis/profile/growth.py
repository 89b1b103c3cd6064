"""Growth without end: a run that comes back to the same state, but with more messages in flight, can be gone on with
for ever.

A guard that forgets to ask whether a message was sent already makes a model infinite, and no constant that is lowered
makes it smaller.  The search goes level by level, so what shows it are the states furthest from the start: on the runs
to those with most messages, two states are looked for that are equal but for messages, all those of the first being
among those of the second (in a FIFO network: at the front of the same queues).  The steps between them are enabled
again in the second, unless a guard asks that nothing be in flight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from checker.analysis.profile.reaching import Reaching
from checker.engines.explored import Packed
from checker.language.definition import Definition, VariableDefinition
from checker.results.profile import Growth
from checker.validation.sample import evenly

LAST_STATES, RUNS = 150, 8
"""How many states of the last level are looked at, and to how many of them a run."""


def endless_growth(definition: Definition, packed: Packed) -> Growth | None:
    """A network that grows without end, if the states of a search that did not come to its end show one."""
    networks = [v for v in definition.variables if v.network is not None]
    result, kernel = packed.result, packed.kernel
    if not networks or len(result.levels) < 2:
        return None
    first, end = result.level_starts()[-2:]
    last = {int(i): kernel.decode(result.states()[i]) for i in first + evenly(end - first, LAST_STATES)}
    fullest = sorted(last, key=lambda i: -sum(_in_flight(v, last[i][v.name]) for v in networks))[:RUNS]
    for number in fullest:
        for earlier, later in _comes_back(packed, networks, _run(packed, number)):
            found = _senders(packed, networks, _run(packed, later), earlier)
            if found is not None:
                network, sender, actions = found
                most = max(_in_flight(network, state[network.name]) for state in last.values())
                return Growth(network.name, most, len(result.levels) - 1, actions, sender)
    return None


def _run(packed: Packed, number: int) -> list[int]:
    """The numbers of the states on the way to one, the last first."""
    found, parent = [number], packed.result.parent(number)
    while parent is not None:
        found.append(parent)
        parent = packed.result.parent(parent)
    return found


def _comes_back(packed: Packed, networks: list[VariableDefinition], run: list[int]) -> Iterator[tuple[int, int]]:
    """The numbers of two states on a run that differ in messages alone, of which the later has those of the earlier and
    more; the nearest to the end first."""
    rest = ~packed.kernel.mask([v.name for v in networks])
    alike: dict[bytes, list[int]] = defaultdict(list)
    for number in run:
        alike[(packed.result.states()[number] & rest).tobytes()].append(number)
    for numbers in alike.values():
        states = {n: packed.kernel.decode(packed.result.states()[n]) for n in (numbers if len(numbers) > 1 else ())}
        yield from (
            (earlier, later)
            for later, earlier in pairwise(numbers)
            if all(_among(v, states[earlier][v.name], states[later][v.name]) for v in networks)
        )


def _among(network: VariableDefinition, few: Any, many: Any) -> bool:
    """Whether the messages of one state are among those of another, with nothing in front of them that they would wait
    for."""
    if _fifo(network):
        return all(queue == other[: len(queue)] for row, others in zip(few, many) for queue, other in zip(row, others))
    return Counter(few) <= Counter(many)


def _in_flight(network: VariableDefinition, messages: Any) -> int:
    return sum(len(queue) for row in messages for queue in row) if _fifo(network) else len(messages)


def _fifo(network: VariableDefinition) -> bool:
    return network.network is not None and network.network.fifo


def _senders(
    packed: Packed, networks: list[VariableDefinition], run: list[int], earlier: int
) -> tuple[VariableDefinition, str, tuple[str, ...]] | None:
    """The network that has more at the end of a run than it had in an earlier state, the action that sent most of it
    since, and all actions since; None where they are not known."""
    since = run[: run.index(earlier) + 1][::-1]
    states = [packed.kernel.decode(packed.result.states()[n]) for n in since]
    network = max(networks, key=lambda v: _in_flight(v, states[-1][v.name]) - _in_flight(v, states[0][v.name]))
    finder, sent = Reaching(packed.kernel, packed.result), Counter[str]()
    for number, (before, after) in zip(since[1:], pairwise(states)):
        action = finder.action(number)
        if action is None:
            return None
        more = _in_flight(network, after[network.name]) - _in_flight(network, before[network.name])
        sent[packed.kernel.actions[action]] += more
    return network, max(sent, key=lambda name: sent[name]), tuple(sent)

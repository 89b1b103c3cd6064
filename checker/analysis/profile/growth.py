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

from checker.analysis.profile.reaching import Reaching
from checker.engines.explored import Packed
from checker.language.definition import Definition, VariableDefinition
from checker.results.profile import Growth
from checker.validation.sample import evenly

LAST_STATES, RUNS = 150, 8
"""How many states of the last level are examined, and for how many of them a run is made."""


def endless_growth(definition: Definition, packed: Packed) -> Growth | None:
    """A network that grows without bound, if the states of an incomplete search show one."""
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
    """The numbers of the states on the way to a state, the last first."""
    found, parent = [number], packed.result.parent(number)
    while parent is not None:
        found.append(parent)
        parent = packed.result.parent(parent)
    return found


def _comes_back(packed: Packed, networks: list[VariableDefinition], run: list[int]) -> Iterator[tuple[int, int]]:
    """The numbers of two states on a run that differ in messages alone, where the later state has all messages of the
    earlier one and more; the pair nearest to the end comes first.
    """
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
    """Whether the messages of one state are among those of another, and no other message blocks them there (FIFO)."""
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
    """The network that has more messages at the end of a run than in an earlier state, the action that sent most of
    them since, and all actions since; None where they are not known.
    """
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

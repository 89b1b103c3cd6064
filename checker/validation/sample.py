"""Which states of a search the interpreter executes again: few, determined by the search alone, and as different from
each other as can be determined cheaply.

Candidates are the first and last states of levels, quiescent states, states with findings, and states spread evenly
over all.  Compiled code examines each of them.  Candidates with a feature that no earlier one has come first: an action
that is enabled or not, a property that is true or false, quiescence; then a set of variables that a step changes (which
distinguishes branches of an action); then a value of a variable.  A sample that must be cut short therefore loses the
most similar states.  An action that no candidate enables is searched in the level where the search first took it.

Where it stops: two branches that change the same variables are not distinguished, nor are the antecedent of a property
and its negation while the property is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
from attrs import Factory
from numpy.typing import NDArray

from checker.contract import States
from checker.frozen import frozen
from checker.validation.native_answers import Output, Probe

LEAST, MOST = 256, 4096
"""The number of candidates: at least LEAST, or twice the number of states that may be executed, if that is less; at
most MOST.
"""
WANTED = 32
"""The number of candidates of one kind that are taken because of known features."""
SCANNED, CHUNK = 1 << 13, 64
"""The number of states of a level in which an action is searched, and the number of states examined at once."""


@frozen(eq=False)
class Reached:
    """The states of a search by number, level by level.

    levels: how many each level has (further parts may follow); rows: the packed states (n, words) of some numbers,
    ascending; of: how many distinct states the search found, these or more; wanted: further states to examine, by their
    features; firsts: for each action taken, the number of steps after which it was first taken, None if the level is
    not among these.
    """

    levels: tuple[int, ...]
    rows: Callable[[NDArray[np.int64]], States]
    of: int
    wanted: tuple[NDArray[np.int64], ...] = ()
    firsts: Mapping[str, int | None] = Factory(dict)

    @classmethod
    def among(cls, states: States, actions: Iterable[str] = ()) -> Reached:
        """These distinct states (n, words), in no levels; actions: those taken."""
        levels = (len(states),) if len(states) else ()
        return cls(levels, lambda numbers: states[numbers], len(states), firsts=dict.fromkeys(actions))

    @property
    def count(self) -> int:
        """How many states there are to choose from."""
        return sum(self.levels)


def chosen(probe: Probe, reached: Reached, allowance: float) -> list[tuple[int, Output]]:
    """Numbers of states with the output of compiled code for them, the most informative first.  allowance:
    approximately how many the interpreter may execute.
    """
    numbers = candidates(reached, min(MOST, max(min(LEAST, int(2 * allowance)), int(allowance))))
    rows = reached.rows(numbers) if len(numbers) else ()
    outputs = [(int(n), output) for n, row in zip(numbers, rows) if (output := probe.output(row)) is not None]
    outputs += _rare(probe, reached, [output for _, output in outputs])
    spread = [outputs[i] for i in spread_order(len(outputs))]
    return list(_most_informative_first(probe, spread))


def candidates(reached: Reached, most: int) -> NDArray[np.int64]:
    """The numbers of the states to examine, ascending: all, or approximately this many."""
    if reached.count <= most:
        return np.arange(reached.count, dtype=np.int64)
    ends = np.cumsum(reached.levels)
    levels = evenly(len(ends), most // 4)
    edges = np.concatenate([(ends - np.array(reached.levels))[levels], ends[levels] - 1])
    wanted = [some[evenly(len(some), WANTED)] for some in reached.wanted if len(some)]
    taken = _distinct(np.concatenate([edges, *wanted]))
    return _distinct(np.concatenate([taken, evenly(reached.count, max(2, most - len(taken)))]))


def evenly(count: int, most: int) -> NDArray[np.int64]:
    """At most this many places of `count`, evenly spread, the first and the last among them."""
    return _distinct(np.linspace(0, count - 1, min(count, most)).astype(np.int64))


def _distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers, ascending and each once (`np.unique` would import masked arrays for these few, which takes as long
    as a small search)."""
    return np.array(sorted(set(numbers.tolist())), np.int64)


def spread_order(count: int) -> Iterator[int]:
    """0..count-1 in an order in which every prefix is spread evenly: the first, the last, the middle, the quarters, and
    so on.
    """
    yield from range(min(count, 1))
    yield from range(count - 1, max(count - 2, 0), -1)
    known, step = {0, count - 1}, 1
    while len(known) < count:
        step *= 2
        for part in range(1, step, 2):
            place = part * (count - 1) // step
            if place not in known:
                known.add(place)
                yield place


def _most_informative_first(probe: Probe, outputs: list[tuple[int, Output]]) -> Iterator[tuple[int, Output]]:
    """The outputs, ordered so that those with a feature that no earlier one has come first."""
    alone = [output for _, output in outputs]
    taken: dict[int, None] = {}
    for of in (probe.marks, probe.changes, probe.values) if alone else ():
        features = of(alone)
        known = {feature for place in taken for feature in features[place]}
        for place, some in enumerate(features):
            if place not in taken and not known.issuperset(some):
                known.update(some)
                taken[place] = None
    yield from (outputs[place] for place in taken)
    yield from (output for place, output in enumerate(outputs) if place not in taken)


def _rare(probe: Probe, reached: Reached, outputs: list[Output]) -> Iterator[tuple[int, Output]]:
    """For each action that was taken and that no candidate enables: a state that enables it."""
    actions = probe.kernel.actions
    enabled = sum((output.counters[: len(actions)] for output in outputs), np.zeros(len(actions), np.int64)) > 0
    missing: dict[int, set[int]] = {}  # actions by the level in which they were first taken
    for action in np.flatnonzero(~enabled).tolist():
        first = reached.firsts.get(actions[action])
        if first is not None and 0 < first <= len(reached.levels):
            missing.setdefault(first - 1, set()).add(action)
    found: dict[int, tuple[int, Output]] = {}
    for level, wanted in missing.items():
        found |= _first_enabling(probe, reached, level, wanted)
    yield from (found[action] for action in sorted(found))


def _first_enabling(probe: Probe, reached: Reached, level: int, actions: set[int]) -> dict[int, tuple[int, Output]]:
    """For each of these actions the first state of a level that enables it.  The level is read once, whatever the
    number of actions.
    """
    start = sum(reached.levels[:level])
    stop, found = start + reached.levels[level], dict[int, tuple[int, Output]]()
    for begin in range(start, min(stop, start + SCANNED), CHUNK):
        if actions <= found.keys():
            break
        rows = reached.rows(np.arange(begin, min(stop, begin + CHUNK), dtype=np.int64))
        for action, place, output in probe.enabling(rows, actions - found.keys()):
            found[action] = begin + place, output
    return found

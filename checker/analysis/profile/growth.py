"""Growth without bound: a run that returns to the same state with more in it can be repeated for ever.

A model is infinite if, for example, a guard does not test whether a message was sent already; no smaller constant makes
it finite.  The search goes level by level, so the states furthest from the start show such growth.  On the runs to
those with most, two states are looked for of which the later one is the earlier one with more messages in flight (in a
FIFO network: behind those of the same queues), more items or larger numbers (`checker.analysis.profile.larger`).  Of
messages those count that the run gains most of: others may be few because a guard asks for them.  The
steps between the two states are enabled again in the second, unless a guard asks how much there is.  So what is found
is a fact about the run, and that it goes on for ever is none: the sentence asks for the guard or the constraint.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from checker.analysis.profile.larger import amount, counts_items, growth_of, limit_of, may_grow
from checker.analysis.profile.reaching import InMemory, Reaching, Source
from checker.contract import States
from checker.engines.explored import Explored
from checker.frozen import frozen
from checker.ir import types as t
from checker.language.definition import Definition, NetworkDefinition
from checker.language.domains import UnionDomain
from checker.results.profile import Growth

LAST_STATES, RUNS, STEPS = 150, 8, 300
"""How many states of the last level are examined, for how many of them a run is made, and of how many last steps."""
ROOM = 100
"""A type with fewer values left than this, or than the search has made steps, is a bound that will be reached."""
NEAR = 6
"""How many earlier states of the same rest are compared with one: steps of a cycle that change messages alone."""
SECONDS = 1.0
"""After this time no further run is looked at."""


@frozen
class Growing:
    """A variable that has room to grow.  network: None if it is none."""

    name: str
    type: t.Type
    network: NetworkDefinition | None = None

    @property
    def unbounded(self) -> bool:
        """Whether its type has no bound."""
        return self.network is not None

    def grown(self, before: Any, after: Any, room: int) -> int | None:
        """As of `growth_of`."""
        return growth_of(self.type, before, after, room, self.unbounded)

    def amount(self, raw: Any) -> int:
        """How many messages are in flight, or the `amount` of the value."""
        if not self.unbounded:
            return amount(self.type, raw)
        return sum(self._messages(raw).values())

    def held(self, raw: Any, steady: Container[Any]) -> Counter[Any]:
        """How much is in a state; of messages only the steady ones, as a step may take one message and send another
        that nobody takes.
        """
        if not self.unbounded:
            return Counter({None: amount(self.type, raw)})
        return Counter({sent: number for sent, number in self._messages(raw).items() if sent in steady})

    def added(self, before: Counter[Any], after: Counter[Any]) -> int:
        """How much a step adds to what was `held`."""
        return (after - before).total() if self.unbounded else after.total() - before.total()

    def steady(self, first: Any, last: Any) -> frozenset[Any]:
        """The messages of which a run has gained most."""
        gained = self._messages(last) - self._messages(first) if self.unbounded else Counter[Any]()
        most = max(gained.values(), default=0)
        return frozenset(sent for sent, number in gained.items() if number == most)

    def kinds(self, sent: Iterable[Any]) -> tuple[str, ...]:
        """The variants of messages as `_messages` gives them; none if the network has messages of one form."""
        if self.network is None or not isinstance(self.network.body, UnionDomain):
            return ()
        bodies = (one[2] for one in sent)
        if self.network.fifo and self.network.carries:  # the body and the length of its chain
            bodies = (body[0] for body in bodies)
        names = [variant.name for variant in self.network.body.variants]
        return tuple(names[place] for place in sorted({body[0] for body in bodies}))

    def _messages(self, raw: Any) -> Counter[Any]:
        """The messages in flight in a raw value of a network; in a FIFO one with the place of their queue."""
        if isinstance(self.type, t.Bag):
            return Counter(raw)
        return Counter((n, m, sent) for n, row in enumerate(raw) for m, queue in enumerate(row) for sent in queue)


def still_growing(definition: Definition, explored: Explored) -> Growth | None:
    """What grew until a limit or Ctrl-C ended a search; None if nothing did, or its states are not in memory.  Ctrl-C
    ends this question alone.
    """
    if explored.complete or explored.bound is None or explored.packed is None:
        return None
    try:
        return endless_growth(definition, InMemory(explored.packed))
    except KeyboardInterrupt:
        return None


def endless_growth(definition: Definition, source: Source) -> Growth | None:
    """What grows, if the states of an incomplete search show it: messages in flight rather than others."""
    room = max(ROOM, source.depth)
    growing = [
        Growing(v.name, v.domain.ir, v.network)
        for v in definition.variables
        if v.network is not None or may_grow(v.domain.ir, room)
    ]
    if not growing or source.depth < 2:
        return None
    rows = source.last(LAST_STATES)
    last = [source.kernel.decode(row) for row in rows]
    found, began = list[Growth](), time.perf_counter()
    for run in source.runs(rows[_fullest(growing, last)]):
        one = next(filter(None, _grown_on(source, growing, run[-STEPS:], last, room)), None)
        if one is not None and one.network:
            return one
        found += [one] if one is not None else []
        if time.perf_counter() - began > SECONDS:
            break
    return found[0] if found else None


def _fullest(growing: Sequence[Growing], last: Sequence[Mapping[str, Any]]) -> list[int]:
    """The places of the states with most messages in flight, then of those with most in each other variable."""
    together = [sum(v.amount(state[v.name]) for v in growing if v.unbounded) for state in last]
    measures = [together, *([v.amount(state[v.name]) for state in last] for v in growing if not v.unbounded)]
    orders = [sorted(range(len(last)), key=measure.__getitem__, reverse=True) for measure in measures]
    most = [order[: RUNS if n == 0 else 1] for n, order in enumerate(orders)]
    return list(dict.fromkeys(place for places in most for place in places))[: 2 * RUNS]


def _grown_on(
    source: Source, growing: Sequence[Growing], run: States, last: Sequence[Mapping[str, Any]], room: int
) -> Iterator[Growth | None]:
    """What grows between two states of a run that differ in nothing else; the pair nearest to the end comes first."""
    rest = ~source.kernel.mask([v.name for v in growing])
    alike: dict[bytes, list[int]] = defaultdict(list)
    for place in reversed(range(len(run))):
        alike[(run[place] & rest).tobytes()].append(place)
    for places in alike.values():
        if len(places) < 2:
            continue
        states = {n: source.kernel.decode(run[n]) for n in places}
        first, last_one = states[places[-1]], states[places[0]]
        steady = {v: v.steady(first[v.name], last_one[v.name]) for v in growing}
        for number, later in enumerate(places):
            for earlier in places[number + 1 : number + 1 + NEAR]:
                grown = {v: v.grown(states[earlier][v.name], states[later][v.name], room) for v in growing}
                if all(more is not None for more in grown.values()):
                    more = {v: by for v, by in grown.items() if by}
                    yield _growth(source, more, steady, run[earlier : later + 1], last)


def _growth(
    source: Source,
    more: Mapping[Growing, int],
    steady: Mapping[Growing, frozenset[Any]],
    run: States,
    last: Sequence[Mapping[str, Any]],
) -> Growth | None:
    """The growth along a run, by how much each variable grows on it; None where its actions are not known, and where
    messages grow of which a longer run does not gain most: a guard may keep them few.
    """
    if not more:
        return None
    main = max(more, key=lambda v: (v.unbounded, more[v]))
    held = [main.held(source.kernel.decode(row)[main.name], steady[main]) for row in run]
    finder, added = Reaching(source.kernel), Counter[str]()
    for rows, amounts in zip(pairwise(run), pairwise(held)):
        action = finder.action(*rows)
        if action is None:
            return None
        added[source.kernel.actions[action]] += main.added(*amounts)
    if main.unbounded and not any(added.values()):
        return None
    most = max(main.amount(state[main.name]) for state in last)
    grown = most, source.depth - 1, tuple(added), max(added, key=lambda name: added[name])
    along = tuple(v.name for v in more if v is not main)
    if main.unbounded:
        return Growth(main.name, *grown, along=along, kinds=main.kinds(held[-1] - held[0]))
    return Growth(None, *grown, main.name, counts_items(main.type), limit_of(main.type), along)

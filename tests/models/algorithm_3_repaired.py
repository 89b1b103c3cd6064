"""Algorithm 3 of "Optimistic Atomic Multicast in One Communication Delay" (2011) with its five repairs, explored
without the checker, where groups only receive.

Written from the lines (l.) with the repairs in place: an empty message is proposed like another one (l. 20), barriers
take the maximum (l. 12), pass what is equal (l. 40), and equal timestamps are ordered by identifier (l. 27, 41).  The
source groups have one process each and multicast to one group that multicasts nothing.  So what that group receives
changes nothing of what the sources decide, and a run falls into two parts: what each source decides, its own messages
and its empty ones (`decisions`), and in which order a process of the receiving group reads the logs and delivers
(`views`).  Its reading can be postponed until the logs are complete, so each order of reading is one of a run.  This
stops being true where a source is a destination too.

No faults.  Clocks show 1 to one more than the most messages of a process, a larger value at each of its messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from attrs import evolve, frozen

Stamp = tuple[int, int]
Message = tuple[int, int, int]
"""Creator, sender and number: an empty message is one whose creator is not the sender of the message asked for."""
Log = tuple[tuple[Message, Stamp], ...]
Orders = frozenset[tuple[Message, ...]]


@frozen
class Source:
    """What the process of a source group knows: how many messages it multicast and took from its own log, how far it
    has read the others, what it has not decided, with its timestamp, and what it decided, in this order."""

    sent: int
    taken: int
    read: tuple[int, ...]
    pending: frozenset[tuple[Message, Stamp]] = frozenset()
    log: Log = ()


def empty(m: Message) -> bool:
    """m was made for a message of another process."""
    return m[0] != m[1]


def identifier(m: Message) -> tuple[bool, Message]:
    """Empty messages come after the others, as in the model."""
    return empty(m), m


def decide(log: Log, batch: frozenset[tuple[Message, Stamp]]) -> Log:
    """l. 26-37."""
    for m, t in sorted(batch, key=lambda one: (one[1], identifier(one[0]))):
        largest = max((x for _, x in log), default=(0, 0))
        log = (*log, (m, (largest[0], largest[1] + 1) if largest >= t else t))
    return log


def clocks(workload: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The timestamps of each process, in ascending order (l. 6)."""
    return product(*(combinations(range(1, max(workload) + 2), count) for count in workload))


def decisions(workload: tuple[int, ...]) -> frozenset[tuple[Log, ...]]:
    """What the sources can have decided at the end of a run."""
    every = range(len(workload))
    found: set[tuple[Log, ...]] = set()
    for clock in clocks(workload):
        start = (Source(0, 0, (0,) * len(workload)),) * len(workload)
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            after = [
                (*state[:p], one, *state[p + 1 :]) for p in every for one in steps(state, p, workload[p], clock[p])
            ]
            if not after:
                found.add(tuple(one.log for one in state))
            for following in after:
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
    return frozenset(found)


def steps(state: tuple[Source, ...], p: int, planned: int, clock: tuple[int, ...]) -> Iterator[Source]:
    """What p can do; a decision follows its proposal at once, as nothing can come between them in a group of one."""
    me = state[p]
    if me.sent < planned:  # l. 5-7
        yield evolve(me, sent=me.sent + 1)
    if me.taken < me.sent:  # l. 8-10
        one = ((p, p, me.taken), (clock[me.taken], 0))
        yield evolve(me, taken=me.taken + 1, pending=me.pending | {one})
    for q, other in enumerate(state):  # l. 11-20: a request
        asked = [(m, t) for m, t in other.log if not empty(m)]
        if q != p and me.read[q] < len(asked):
            m, t = asked[me.read[q]]
            read = (*me.read[:q], me.read[q] + 1, *me.read[q + 1 :])
            yield evolve(me, read=read, pending=me.pending | {((p, m[1], m[2]), t)})
    if me.pending:  # l. 21-39
        yield evolve(me, pending=frozenset[tuple[Message, Stamp]](), log=decide(me.log, me.pending))


def views(logs: tuple[Log, ...], *, ties: bool = True) -> Orders:
    """What a process that gets these logs can deliver at the end, in its order; ties: by identifier (l. 41)."""
    start = ((0,) * len(logs), ((0, 0),) * len(logs), frozenset[tuple[Message, Stamp]](), ())
    found: set[tuple[Message, ...]] = set()
    seen, todo = {start}, [start]
    while todo:
        read, barriers, stamped, delivered = todo.pop()
        after = []
        for q, log in enumerate(logs):  # l. 8-14
            if read[q] < len(log):
                ahead = (*read[:q], read[q] + 1, *read[q + 1 :])
                shown = (*barriers[:q], max(barriers[q], log[read[q]][1]), *barriers[q + 1 :])
                after.append((ahead, shown, stamped | {log[read[q]]}, delivered))
        for m, t in stamped:  # l. 40-45; a group never holds up its own message (Section 4.1)
            if all(t <= b for q, b in enumerate(barriers) if q != m[0]) and not any(
                (x, identifier(y) if ties else 0) < (t, identifier(m) if ties else 0) for y, x in stamped
            ):
                known = delivered if empty(m) else (*delivered, m)
                after.append((read, barriers, stamped - {(m, t)}, known))
        if not after:
            found.add(delivered)
        for state in after:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return frozenset(found)


def disagreements(workload: tuple[int, ...], *, ties: bool = True) -> tuple[int, int]:
    """Of all that the sources can decide: how many there are, and in how many two processes deliver two messages in
    opposite orders, or end without a message."""
    every = decisions(workload)
    return len(every), sum(not agree(views(logs, ties=ties), sum(workload)) for logs in every)


def agree(orders: Orders, messages: int) -> bool:
    """All deliver all messages in one order."""
    return len(orders) == 1 and all(len(order) == messages for order in orders)

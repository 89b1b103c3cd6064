"""Algorithm 3 of "Optimistic Atomic Multicast in One Communication Delay" (2011), explored without the checker.

Written from the lines as printed (l.), with plain tuples and sets.  As printed, what a process gets from another group
changes nothing of what its own group decides: empty messages go into a set that no line reads (l. 20).  So a run falls
into parts that do not depend on each other: what each group decides, in which order and with which timestamps
(`histories`), and in which order a process then reads the logs of the others and delivers (`views`).  Each combination
of parts is a run, and each run is such a combination.  This stops being true where an empty message is proposed, as in
any repair of line 20.  `whole_runs` explores a configuration without this division, every line a step, and is for
comparison.

No faults.  sendersTo(G) are the groups that multicast a message to G.  Clocks show 1 to one more than the most messages
of a process, a larger value at each of its messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import combinations, product

from attrs import evolve, frozen

Stamp = tuple[int, int]
History = tuple[tuple[int, Stamp], ...]  # the messages that a group decides, with their final timestamps
Log = tuple[tuple[int, Stamp, bool], ...]  # the entries for a group: message, timestamp, and whether it is addressed
Pairs = frozenset[tuple[int, int]]  # (a, b): somebody delivers a, and later b
Passes = Callable[[Stamp, Stamp], bool]


@frozen
class Configuration:
    """How many messages each process multicasts, the group of each process, and the groups each message is for."""

    workload: tuple[int, ...]
    groups: tuple[int, ...]
    destinations: tuple[frozenset[int], ...]

    @cached_property
    def messages(self) -> list[tuple[int, int]]:
        """Sender and number of each."""
        return [(p, k) for p, count in enumerate(self.workload) for k in range(count)]

    @cached_property
    def sources(self) -> list[int]:
        """The group of the sender of each message."""
        return [g for g, count in zip(self.groups, self.workload) for _ in range(count)]

    @cached_property
    def senders(self) -> dict[int, frozenset[int]]:
        """The groups that multicast a message to each group that gets one."""
        found: dict[int, set[int]] = {}
        for source, to in zip(self.sources, self.destinations):
            for g in to:
                found.setdefault(g, set()).add(source)
        return {g: frozenset(those) for g, those in found.items()}

    @cached_property
    def getting(self) -> list[frozenset[int]]:
        """l. 35: the groups to which a message is sent: its destinations and their blockers."""
        return [
            to.union(*(self.senders_to(g) for g in to)) - {source}
            for source, to in zip(self.sources, self.destinations)
        ]

    def senders_to(self, g: int) -> frozenset[int]:
        return self.senders.get(g, frozenset())

    def gets(self, g: int, m: int) -> bool:
        return g in self.getting[m]


def strict(t: Stamp, barrier: Stamp) -> bool:
    """l. 40 as printed."""
    return t < barrier


def decide(order: History, batch: frozenset[int], clock: tuple[int, ...]) -> History:
    """l. 26-33: a decided set, in ascending order of timestamps, until two of those left have the same (l. 27)."""
    left = set(batch)
    while first := [m for m in left if all(clock[m] < clock[x] for x in left - {m})]:
        (m,) = first
        left.remove(m)
        largest = max((t for _, t in order), default=(0, 0))
        t = (largest[0], largest[1] + 1) if largest >= (clock[m], 0) else (clock[m], 0)  # l. 29, 30
        order = (*order, (m, t))
    return order


def clocks(counts: tuple[int, ...], ticks: int) -> Iterator[tuple[int, ...]]:
    """What the clocks may show: a larger value at each message of a process (l. 6)."""
    each = (combinations(range(1, ticks + 1), count) for count in counts)
    return (tuple(t for mine in chosen for t in mine) for chosen in product(*each))


@cache
def histories(counts: tuple[int, ...], ticks: int) -> frozenset[History]:
    """What a group whose processes multicast so many messages can decide; of two of which one begins with the other,
    the longer one.  Messages are numbered in the order of their senders."""
    first = [sum(counts[:s]) for s in range(len(counts))]
    found: set[History] = set()
    for clock in clocks(counts, ticks):
        start: tuple[tuple[tuple[int, ...], ...], History] = (tuple((0,) * len(counts) for _ in counts), ())
        seen, todo = {start}, [start]
        while todo:
            known, order = todo.pop()
            found.add(order)
            decided = {m for m, _ in order}
            for p in range(len(counts)):
                # p reads on in the logs of its group, each in its order, and proposes what is not decided (l. 8-25)
                for more in product(*(range(have, count + 1) for have, count in zip(known[p], counts))):
                    has = frozenset(f + k for f, n in zip(first, more) for k in range(n)) - decided
                    others = (*known[:p], more, *known[p + 1 :])
                    state = (tuple(sorted(others)), decide(order, has, clock))
                    if state not in seen:
                        seen.add(state)
                        todo.append(state)
    return frozenset(h for h in found if not any(len(h) < len(x) and x[: len(h)] == h for x in found))


@cache
def views(logs: tuple[tuple[int, int, Log], ...], needed: frozenset[int], passes: Passes) -> frozenset[tuple[int, ...]]:
    """What a process can have delivered at some time, in its order.

    logs: group, number of its processes, and the entries of the log that each of them writes; needed: the groups whose
    barriers it needs.
    """
    readers = [(h, log) for h, members, log in logs for _ in range(members)]
    start = ((0,) * len(readers), (), frozenset[tuple[int, Stamp]](), tuple((h, (0, 0)) for h in sorted(needed)))
    found: set[tuple[int, ...]] = set()
    seen, todo = {start}, [start]
    while todo:
        read, delivered, stamped, barriers = todo.pop()
        found.add(delivered)
        after = []
        for i, (h, log) in enumerate(readers):  # l. 8-14
            if read[i] < len(log):
                m, t, addressed = log[read[i]]
                ahead = (*read[:i], read[i] + 1, *read[i + 1 :])
                if m in delivered or (m, t) in stamped:  # l. 11
                    after.append((ahead, delivered, stamped, barriers))
                else:
                    shown = tuple((x, t if x == h else b) for x, b in barriers)
                    after.append((ahead, delivered, stamped | {(m, t)} if addressed else stamped, shown))
        for m, t in stamped:  # l. 40-45
            if all(passes(t, b) for _, b in barriers) and not any(x < t for _, x in stamped):
                after.append((read, (*delivered, m), stamped - {(m, t)}, barriers))
        for state in after:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return frozenset(found)


def runs(c: Configuration) -> Iterator[dict[int, History]]:
    """Each combination of what the groups decide."""
    ticks = max(c.workload) + 1
    numbered = {message: m for m, message in enumerate(c.messages)}
    each = []
    for g in sorted(set(c.groups)):
        members = [p for p, of in enumerate(c.groups) if of == g]
        names = [numbered[p, k] for p in members for k in range(c.workload[p])]
        found = histories(tuple(c.workload[p] for p in members), ticks)
        each.append([(g, tuple((names[m], t) for m, t in history)) for history in found])
    return (dict(chosen) for chosen in product(*each))


def delivered_by(c: Configuration, g: int, run: dict[int, History], passes: Passes) -> frozenset[tuple[int, ...]]:
    """What a process of g can have delivered."""
    logs = [(h, tuple((m, t, g in c.destinations[m]) for m, t in run[h] if c.gets(g, m))) for h in sorted(run)]
    return views(tuple((h, c.groups.count(h), log) for h, log in logs if log), c.senders_to(g), passes)


def disagreement(c: Configuration, passes: Passes = strict) -> tuple[int, int] | None:
    """Two messages that two processes deliver in opposite orders in some run."""
    # groups for which two messages are, and which deliver any: no line sets the barrier of a group for itself (l. 33)
    could = [g for g in set(c.groups) if sum(g in to for to in c.destinations) > 1 and g not in c.senders_to(g)]
    for run in runs(c) if could else ():
        pairs = {g: ordered(delivered_by(c, g, run, passes)) for g in could}
        for g, h in product(could, could):
            if g != h or c.groups.count(g) > 1:
                for a, b in pairs[g]:
                    if (b, a) in pairs[h]:
                        return a, b
    return None


@cache
def ordered(sequences: frozenset[tuple[int, ...]]) -> Pairs:
    """The pairs of which some sequence has the first before the second."""
    return frozenset(pair for sequence in sequences for pair in combinations(sequence, 2))


@frozen
class Own:
    """What a process knows: how far it has read each log, messages_g, the instance, what is decided in its order, what
    is stamped, what it delivered, and the barriers."""

    read: tuple[int, ...]
    pending: frozenset[int] = frozenset()
    instance: int = 0
    decided: History = ()
    stamped: frozenset[tuple[int, Stamp]] = frozenset()
    delivered: tuple[int, ...] = ()
    barriers: tuple[tuple[int, Stamp], ...] = ()


Entry = tuple[int, Stamp, bool]  # message, timestamp, and whether it is final


@frozen
class State:
    """Of each process what it knows and its log; of each group what it decided."""

    own: tuple[Own, ...]
    logs: tuple[tuple[Entry, ...], ...]
    decisions: tuple[tuple[frozenset[int], ...], ...]

    def after(self, p: int, own: Own, *entries: Entry) -> State:
        """p knows that, and has appended to its log."""
        logs = (*self.logs[:p], self.logs[p] + entries, *self.logs[p + 1 :])
        return evolve(self, own=(*self.own[:p], own, *self.own[p + 1 :]), logs=logs)


def whole_runs(c: Configuration, passes: Passes = strict) -> set[tuple[tuple[int, ...], ...]]:
    """What the processes can have delivered at some time of a run, explored with every line a step of its own."""
    processes = range(len(c.workload))
    found: set[tuple[tuple[int, ...], ...]] = set()
    for clock in clocks(c.workload, max(c.workload) + 1):
        start = State((Own((0,) * len(processes)),) * len(processes), ((),) * len(processes), ((),) * max(c.groups))
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            found.add(tuple(one.delivered for one in state.own))
            for after in (after for p in processes for after in steps(c, p, state, clock, passes)):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
    return found


def steps(c: Configuration, p: int, state: State, clock: tuple[int, ...], passes: Passes) -> Iterator[State]:
    """What p can do."""
    me, g = state.own[p], c.groups[p]
    sent = sum(not final for *_, final in state.logs[p])
    if sent < c.workload[p]:  # l. 5-7
        m = c.messages.index((p, sent))
        yield state.after(p, me, (m, (clock[m], 0), False))
    for q, log in enumerate(state.logs):
        at = next((i for i in range(me.read[q], len(log)) if for_group(c, g, log[i])), None)
        if at is not None:
            yield state.after(p, receive(c, g, evolve(me, read=(*me.read[:q], at + 1, *me.read[q + 1 :])), log[at]))
    proposal, agreed = me.pending - {m for m, _ in me.decided}, state.decisions[g - 1]
    if me.instance == len(agreed) and decide(me.decided, proposal, clock) != me.decided:  # l. 21-25
        yield evolve(state, decisions=(*state.decisions[: g - 1], (*agreed, proposal), *state.decisions[g:]))
    if me.instance < len(agreed):  # l. 26-39
        order = decide(me.decided, agreed[me.instance], clock)
        new = order[len(me.decided) :]
        stamped = me.stamped | {(m, t) for m, t in new if g in c.destinations[m]}
        know = evolve(me, instance=me.instance + 1, decided=order, stamped=stamped)
        yield state.after(p, know, *((m, t, True) for m, t in new))
    shown = dict(me.barriers)
    for m, t in me.stamped:  # l. 40-45
        if all(passes(t, shown.get(h, (0, 0))) for h in c.senders_to(g)) and not any(x < t for _, x in me.stamped):
            yield state.after(p, evolve(me, stamped=me.stamped - {(m, t)}, delivered=(*me.delivered, m)))


def receive(c: Configuration, g: int, me: Own, entry: Entry) -> Own:
    """l. 8-14."""
    m, t, final = entry
    if not final:
        return evolve(me, pending=me.pending | {m})
    if m in me.delivered or (m, t) in me.stamped:
        return me
    shown = tuple(sorted({**dict(me.barriers), c.sources[m]: t}.items()))
    return evolve(me, barriers=shown, stamped=me.stamped | {(m, t)} if g in c.destinations[m] else me.stamped)


def for_group(c: Configuration, g: int, entry: Entry) -> bool:
    """The entry is for g: l. 7 or l. 35."""
    m, _, final = entry
    return c.gets(g, m) if final else c.sources[m] == g

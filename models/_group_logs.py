"""What the algorithms of optimistic atomic multicast stand on: reliable FIFO multicast as logs, and consensus inside
each group.

fr-mcast appends to the log of its sender; each addressee reads each log in order, and passes over what is not for its
group. A crash may cut a log down to what somebody has read: what a live process has, every process gets. Consensus
decides, for each instance of a group, one set of messages, the value of whoever comes first, which every process of the
group learns in the order of the instances.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 2; line 2 of Algorithms 1 and 3. A model
defines the types Entry (with the fields `message` and `time`) and Time, the variable `final`, `for_group`, what is done
with an entry (`receive`) or a decision, and `deliver_ready`.
"""

from __future__ import annotations

from typing import Any

from checker.language import Int, Map, Seq, Set, action, derived, draw, of, require, rule, var
from checker.language.groups import GroupMulticast


class _GroupLogs(GroupMulticast):
    """The state of l. 2, and reading of logs."""

    Process = GroupMulticast.Process
    Message = GroupMulticast.Message
    Group = GroupMulticast.Group
    room = derived(lambda c: 2 * sum(c.workload))  # more entries than a log ever has
    Count = Int(0, derived(lambda c: c.room))

    log = var(Map[Process, Seq[of("Entry"), derived(lambda c: c.room)]], kept=True)
    read = var(Map[Process, Map[Process, Count]], 0, kept=True)  # how far p has read the log of q
    decisions = var(Map[Group, Seq[Set[of("Message")], derived(lambda c: c.room)]])
    instance = var(Map[Process, Count], 0)  # k
    messages = var(Map[Process, Set[of("Message")]])
    decided = var(Map[Process, Set[of("Message")]])
    stamped = var(Map[Process, Set[of("Message")]])
    done = var(Map[Process, Set[of("Message")]])  # the set `delivered` of l. 2

    picture = [
        draw.lane("decisions", "consensus", "{0}, instance {1}: {value}"),
        draw.lane("log", "logs", "{0}, entry {1}: {value}"),
        draw.step("fr_deliver", "read the log of {q}"),
        draw.aside("read", "instance", "done"),
    ]

    def next_entry(self, p: Process, q: Process) -> int:
        """Where the next entry for p's group stands in the log of q; the end of the log if there is none."""
        index = self.read[p][q]
        while index < len(self.log[q]) and not self.for_group(self.group(p), self.log[q][index]):
            index += 1
        return index

    @action
    def fr_deliver(self, p: Process, q: Process) -> None:
        """p reads the next entry for it in the log of q."""
        index = self.next_entry(p, q)
        require(index < len(self.log[q]))
        self.read[p][q] = index + 1
        entry = self.log[q][index]
        self.emit.fr_deliver(p, entry.message, entry.time)
        self.receive(p, entry)
        self.deliver_ready(p)

    def stamp(self, p: Process, m: Message, t: Any) -> None:
        """p knows m and its final timestamp."""
        self.final[p][m] = t
        self.stamped[p].add(m)

    @action(fault=True, budget="crashes")
    def truncate(self, q: Process) -> None:
        """The last entry of a crashed process is lost if nobody has read it."""
        require(not self.live(q) and len(self.log[q]) > max(self.read[p][q] for p in self.Process))
        self.log[q].pop()


def names_of(c: Any) -> list[str]:
    """The messages of the workload: m1.1, m1.2, ..."""
    return [f"m{i + 1}.{k + 1}" for i, count in enumerate(c.workload) for k in range(count)]


class _EmptyMessages(_GroupLogs):
    """Messages behind those of the workload that only carry a timestamp: they are treated like others, but nobody
    delivers them.

    A model defines `creators`: for each message the number of its sender or creator, from 0.
    """

    Process = _GroupLogs.Process
    Message = _GroupLogs.Message
    planned = derived(lambda c: sum(c.workload))

    delivered = var(Map[Process, Seq[of("Message"), derived(lambda c: sum(c.workload) + 1)]], kept=True)

    @rule
    def empty(self, m: Message) -> bool:
        """m is an empty message."""
        return m.index >= self.planned

    @rule
    def sender(self, m: Message) -> Process:
        """Who multicasts m, or makes it."""
        return self.Process[self.creators[m.index]]

    @rule
    def number(self, m: Message) -> int:
        return self.planned if self.empty(m) else self.numbers[m.index]

    @rule
    def was_multicast(self, m: Message) -> bool:
        return not self.empty(m) and self.number(m) < self.sent[self.sender(m)]

    @rule
    def destination(self, p: Process, m: Message) -> bool:
        """p is to deliver m: nobody delivers an empty message."""
        return not self.empty(m) and self.addressed(self.group(p), m)

"""What the algorithms of optimistic atomic multicast stand on: reliable FIFO multicast as logs, and consensus inside each group.

fr-mcast appends to the log of its sender; each addressee reads each log in order, and passes over what is not for its group. Consensus decides, for each instance of a group, one
set of messages, which every process of the group learns in the order of the instances.

Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Section 2; line 2 of Algorithms 1 and 3. A model defines the types Entry (with the field `message`) and Time,
`for_group`, and what is done with an entry or a decision.
"""

from __future__ import annotations

from typing import Any

from checker.language import Int, Map, Seq, Set, derived, of, rule, var
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

    def next_entry(self, p: Process, q: Process) -> int:
        """Where the next entry for p's group stands in the log of q; the end of the log if there is none."""
        index = self.read[p][q]
        while index < len(self.log[q]) and not self.for_group(self.group(p), self.log[q][index]):
            index += 1
        return index


def names_of(c: Any) -> list[str]:
    """The messages of the workload: m1.1, m1.2, ..."""
    return [f"m{i + 1}.{k + 1}" for i, count in enumerate(c.workload) for k in range(count)]


class _EmptyMessages(_GroupLogs):
    """Messages behind those of the workload that only carry a timestamp: they are treated like others, but nobody delivers them.

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

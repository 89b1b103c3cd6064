"""Multicast to groups: which group a process is in, and which groups a message goes to.

Groups are disjoint and cover all processes. Who may multicast to a group is known in advance; by default it is what the workload needs.
"""

from __future__ import annotations

from typing import Any

from checker.language.constants import const, derived
from checker.language.distributed import Process
from checker.language.errors import UsageError
from checker.language.model import rule
from checker.language.multicast import Message, Multicast
from checker.language.types import Ids


def _table(c: Any, rows: tuple[int, ...]) -> tuple[bool, ...]:
    """Rows of group numbers, each written as digits, as one flat table: row by row, group by group."""
    return tuple(str(g + 1) in str(row) for row in rows for g in range(max(c.groups)))


def _everywhere(c: Any) -> tuple[int, ...]:
    """Every message goes to all groups."""
    return (int("".join(str(g + 1) for g in range(max(c.groups)))),) * sum(c.workload)


def _possible_senders(c: Any) -> tuple[int, ...]:
    """For each group, the groups that the workload lets multicast to it."""
    source = [c.groups[i] for i, count in enumerate(c.workload) for _ in range(count)]
    groups = range(1, max(c.groups) + 1)
    reach = {(s, g) for s, to in zip(source, c.destinations) for g in groups if str(g) in str(to)}
    return tuple(int("".join(str(s) for s in groups if (s, g) in reach) or 0) for g in groups)


Group = Ids("g", derived(lambda c: max(c.groups)))


class GroupMulticast(Multicast):
    """A multicast protocol with up to nine groups."""

    groups = const(derived(lambda c: tuple(1 + i % 2 for i in range(c.processes))), "the group of each process")
    destinations = const(derived(_everywhere), "the groups each message goes to, as digits: 12 is g1 and g2")
    senders_to = const(derived(_possible_senders), "for each group, the groups that may multicast to it, as digits")
    addressed_table = derived(lambda c: _table(c, c.destinations))
    senders_table = derived(lambda c: _table(c, c.senders_to))

    Group = Group

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """As for any multicast; besides, each process is in one group.  UsageError if groups names more or fewer."""
        found = super().complete(given)
        groups, n = given.get("groups"), found.get("processes", given.get("processes", cls.processes.default))
        if isinstance(groups, tuple) and isinstance(n, int) and len(groups) != n:
            raise UsageError(f"groups={','.join(map(str, groups))} names {len(groups)} processes, but there are {n}", remedy="Give one group for each process.")
        return found

    @rule
    def group(self, p: Process) -> Group:  # type: ignore[valid-type]
        """The group of p."""
        return self.Group[self.groups[p.index] - 1]

    @rule
    def source(self, m: Message) -> Group:  # type: ignore[valid-type]
        """The group of the sender of m."""
        return self.group(self.sender(m))

    @rule
    def addressed(self, g: Group, m: Message) -> bool:  # type: ignore[valid-type]
        """m goes to g."""
        return self.addressed_table[m.index * len(self.Group) + g.index]  # type: ignore[attr-defined]

    @rule
    def may_send(self, h: Group, g: Group) -> bool:  # type: ignore[valid-type]
        """Group h may multicast to g: h is in sendersTo(g)."""
        return self.senders_table[g.index * len(self.Group) + h.index]  # type: ignore[attr-defined]

    @rule
    def destination(self, p: Process, m: Message) -> bool:  # type: ignore[valid-type]
        """m goes to the group of p."""
        return self.addressed(self.group(p), m)

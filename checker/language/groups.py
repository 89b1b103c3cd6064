"""Multicast to groups: the group of each process, and the groups to which a message is addressed.

Groups are disjoint and cover all processes. The processes that may multicast to a group are known in advance; by
default they follow from the workload.
"""

from __future__ import annotations

from typing import Any

from checker.language.constants import Known, const, derived, fixed
from checker.language.distributed import Process
from checker.language.errors import UsageError
from checker.language.model import rule
from checker.language.multicast import Message, Multicast
from checker.language.types import Ids
from checker.wording import counted

MOST_GROUPS = 9  # each is one digit


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


def _row(value: Any) -> tuple[Any, ...]:
    """A list of constants; a single one may be given without a comma."""
    return value if isinstance(value, tuple) else (value,)


def _check_groups(groups: tuple[Any, ...], processes: int) -> None:
    """Raise UsageError unless each process is in one group, and each group has a process."""
    written = f"groups={','.join(map(str, groups))}"
    if len(groups) != processes:
        raise UsageError(
            f"{written} names {counted(len(groups), 'process')}, but there are {processes}",
            remedy="Give one group for each process.",
        )
    if any(type(g) is not int or not 1 <= g <= MOST_GROUPS for g in groups):
        raise UsageError(
            f"{written}: a group is a number from 1 to {MOST_GROUPS}",
            remedy="Give one number for each process: groups=1,1,2",
        )
    empty = next((g for g in range(1, max(groups)) if g not in groups), None)
    if empty is not None:
        raise UsageError(
            f"{written}: no process is in group {empty}", remedy="Number the groups from 1 on, without a gap."
        )


def _check_rows(name: str, rows: tuple[Any, ...], expected: int, of: str, groups: int) -> None:
    """Raise UsageError unless there is a row for each message or group, with existing groups."""
    written = f"{name}={','.join(map(str, rows))}"
    if len(rows) != expected:
        remedy = f"Give the groups for each {of}, as digits: 12 is g1 and g2."
        raise UsageError(f"{written} is for {len(rows)} {of}s, but there are {expected}", remedy=remedy)
    for row in rows:
        unknown = set(str(row)) - set(map(str, range(1, groups + 1)))
        if unknown and not (of == "group" and row == 0):  # nobody may multicast to that group
            raise UsageError(
                f"{written}: {row} names group {min(unknown)}, but there are {groups}",
                remedy="Groups are written as digits: 12 is g1 and g2.",
            )


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
        """As for any multicast; in addition, each process is in one group, and messages are addressed to existing
        groups. Raises UsageError if not.
        """
        found = super().complete(given)
        known = Known({"processes": cls.processes.default, "workload": cls.workload.default, **given, **found}, {})
        groups = _row(given.get("groups", fixed(cls.groups.default, known)))
        _check_groups(groups, known["processes"])
        for name, expected, of in (
            ("destinations", sum(known["workload"]), "message"),
            ("senders_to", max(groups), "group"),
        ):
            if name in given:
                _check_rows(name, _row(given[name]), expected, of, max(groups))
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
        """m is addressed to g."""
        return self.addressed_table[m.index * len(self.Group) + g.index]  # type: ignore[attr-defined]

    @rule
    def may_send(self, h: Group, g: Group) -> bool:  # type: ignore[valid-type]
        """Group h may multicast to g: h is in sendersTo(g)."""
        return self.senders_table[g.index * len(self.Group) + h.index]  # type: ignore[attr-defined]

    @rule
    def destination(self, p: Process, m: Message) -> bool:  # type: ignore[valid-type]
        """m is addressed to the group of p."""
        return self.addressed(self.group(p), m)

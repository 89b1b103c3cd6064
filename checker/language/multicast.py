"""Multicast protocols: how many messages each process multicasts, and which messages each process has delivered.

Messages are named m1.1, m1.2, ... (sender.number).  Sending is spontaneous: a process multicasts its planned messages
in order, at any time.  The delivery log `delivered` is the only history that every protocol has.
"""

from __future__ import annotations

from typing import Any

from checker.language import draw
from checker.language.choice import require
from checker.language.constants import const, derived
from checker.language.distributed import MOST_PROCESSES, Distributed, Process
from checker.language.errors import UsageError
from checker.language.model import action, rule, var
from checker.language.room import short
from checker.language.types import Ids, Int, Map, Seq

MOST_MESSAGES = 1000  # of a workload


def _names(c: Any) -> list[str]:
    return [f"m{i + 1}.{k + 1}" for i, count in enumerate(c.workload) for k in range(count)]


Message = Ids("m", derived(_names))
total = derived(lambda c: sum(c.workload))


class Multicast(Distributed):
    """The frame of a multicast protocol: define `send(p, m)` and handlers that call `deliver(p, m)`."""

    workload = const((1, 1, 0), "how many messages each process multicasts")
    Message = Message

    sent = var(Map[Process, Int(0, derived(lambda c: max(c.workload)))], 0, kept=True)
    # one more than can be right: room for a duplicate
    delivered = var(Map[Process, Seq[Message, total + 1]], kept=True)
    outcome = ("delivered", "crashed")
    picture = [draw.aside("sent")]
    senders = derived(lambda c: tuple(i for i, count in enumerate(c.workload) for _ in range(count)))
    numbers = derived(lambda c: tuple(k for count in c.workload for k in range(count)))
    first = derived(lambda c: tuple(sum(c.workload[:i]) for i in range(len(c.workload))))

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """The number of processes follows from the workload, or the default workload from the number of processes."""
        super().complete(given)
        workload, n = given.get("workload"), given.get("processes")
        if workload is None and n is None:
            return {}
        if workload is None and isinstance(n, int):
            return {"workload": (1, 1, *(0,) * n)[:n]}
        workload = workload if isinstance(workload, tuple) else (workload,)
        if len(workload) > MOST_PROCESSES:
            raise UsageError(
                f"workload={short(workload)}: more than {MOST_PROCESSES} processes",
                remedy="A state holds an entry for each; start with 2 or 3.",
            )
        if any(count < 0 for count in workload):
            raise UsageError(
                f"workload={short(workload)}: a process cannot multicast fewer than no messages",
                remedy="Give whole numbers from 0 on.",
            )
        if sum(workload) > MOST_MESSAGES:
            raise UsageError(
                f"workload={short(workload)}: more than {MOST_MESSAGES} messages",
                remedy="A state holds an entry for each; start with one or two.",
            )
        if not any(workload):
            raise UsageError(
                f"workload={short(workload)}: nobody multicasts anything",
                remedy="Give at least one process a message: workload=1,0",
            )
        if n is not None and n != len(workload):
            raise UsageError(
                f"workload={short(workload)} names {len(workload)} processes, but processes={n}",
                remedy="Give one number for each process.",
            )
        return {"processes": len(workload)}

    @rule
    def sender(self, m: Message) -> Process:  # type: ignore[valid-type]
        """The process that multicasts m."""
        return self.Process[self.senders[m.index]]  # type: ignore[attr-defined]

    @rule
    def number(self, m: Message) -> Any:  # type: ignore[valid-type]
        """The place of m among the messages of its sender, from 0."""
        return self.numbers[m.index]  # type: ignore[attr-defined]

    @rule
    def was_multicast(self, m: Message) -> bool:  # type: ignore[valid-type]
        """m has been multicast by its sender."""
        return self.number(m) < self.sent[self.sender(m)]

    @rule
    def destination(self, p: Process, m: Message) -> bool:  # type: ignore[valid-type]
        """Whether p is a destination of m: every process, unless the protocol has several groups."""
        return True

    @action
    def multicast(self, p: Process) -> None:  # type: ignore[valid-type]
        """p multicasts the next of its planned messages."""
        require(self.sent[p] < self.workload[p.index])
        m = self.Message[self.first[p.index] + self.sent[p]]
        self.sent[p] += 1
        self.emit.multicast(p, m)
        self.send(p, m)

    def send(self, p, m):  # type: ignore[no-untyped-def]
        """The protocol's steps to multicast m."""
        raise NotImplementedError

    def deliver(self, p: Process, m: Message) -> None:  # type: ignore[valid-type]
        """p delivers m: the event, then the log."""
        self.emit.deliver(p, m)
        self.delivered[p].append(m)

"""What optimistic atomic multicast promises of its timestamps: the lemmas of its proof, stated for all live processes.

The model has groups, `final[p][m]` (the timestamp of m that p regards as final, for m in `decided[p]` or `stamped[p]`),
and one log per process. Equal timestamps are ordered by `identifier(m)`, as Section 3.2 says. Source: "Optimistic
Atomic Multicast in One Communication Delay", 2011, Section 5. A crashed process has forgotten its timestamps.
"""

from __future__ import annotations

from checker.language import Invariant, Quiescence, StepInvariant


def _tie(first: object, one: object, other: object) -> str:
    """What is added where two timestamps are equal: which message comes first."""
    return f"; of equal timestamps that of {first} is the smaller, by its identifier" if one == other else ""


class DecidedInGroup(Quiescence):
    """Lemma 1: what a correct process has from its own group, it decides."""

    def holds(self) -> bool:
        return all(self.messages[p] <= self.decided[p] for p in self.Process if self.live(p))

    def explain(self, p) -> str:  # type: ignore[no-untyped-def]
        return f"{p} never decides {sorted(self.messages[p] - self.decided[p])[0]}, which it has."


class StampedEverywhere(Quiescence):
    """Lemma 2: what a correct process multicasts, every correct process that it is addressed to gets with its final
    timestamp."""

    def holds(self) -> bool:
        return all(
            m in self.stamped[p]
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m))
            for p in self.Process
            if self.live(p) and self.destination(p, m)
        )

    def explain(self, m, p) -> str:  # type: ignore[no-untyped-def]
        return f"The sender of {m} is correct, and {p} never gets it with a final timestamp."


class SentByTimestamp(Invariant):
    """Lemma 4: a process passes the messages of its group on to other groups in the order of their final timestamps."""

    def passed_on(self, p, entry) -> bool:  # type: ignore[no-untyped-def]
        """p sent the entry to another group."""
        return any(g != self.group(p) and self.for_group(g, entry) for g in self.Group)

    def holds(self) -> bool:
        return all(
            (self.log[p][i].time, self.identifier(self.log[p][i].message))
            < (self.log[p][j].time, self.identifier(self.log[p][j].message))
            for p in self.Process
            for i in range(len(self.log[p]))
            for j in range(i + 1, len(self.log[p]))
            if self.passed_on(p, self.log[p][i]) and self.passed_on(p, self.log[p][j])
        )

    def explain(self, p, i, j) -> str:  # type: ignore[no-untyped-def]
        one, other = self.log[p][i], self.log[p][j]
        return (
            f"{p} passed on {one.message} with {one.time}, and then {other.message} with "
            f"{other.time}{_tie(other.message, one.time, other.time)}."
        )


class FinalTimestampAgreement(Invariant):
    """Lemma 5: any two processes that know the final timestamp of a message know the same one."""

    def holds(self) -> bool:
        return all(
            self.final[p][m] == self.final[q][m]
            for p in self.Process
            for q in self.Process
            for m in self.Message
            if p < q and m in self.decided[p] | self.stamped[p] and m in self.decided[q] | self.stamped[q]
        )

    def explain(self, p, q, m) -> str:  # type: ignore[no-untyped-def]
        return f"The final timestamp of {m} is {self.final[p][m]} at {p} and {self.final[q][m]} at {q}."


class ReceivedByTimestamp(Invariant):
    """Lemma 6: who has m of another group has every message of that group for its own group with a smaller final
    timestamp."""

    def holds(self) -> bool:
        return all(
            x in self.stamped[p]
            for p in self.Process
            for m in self.stamped[p]
            for q in self.Process
            for x in self.decided[q]
            if self.source(m) != self.group(p)
            and self.source(x) == self.source(m)
            and self.destination(p, x)
            and (self.final[q][x], self.identifier(x)) < (self.final[p][m], self.identifier(m))
        )

    def explain(self, p, m, q, x) -> str:  # type: ignore[no-untyped-def]
        return (
            f"{p} has {m} with timestamp {self.final[p][m]}, but not {x}, which {q} decided with "
            f"{self.final[q][x]}{_tie(x, self.final[q][x], self.final[p][m])}."
        )


class StampedByTimestamp(StepInvariant):
    """Lemma 7: once a process has stamped m, it stamps no message of the same group with a smaller timestamp in a later
    step."""

    def holds(self) -> bool:
        return all(
            (self.final[p][m], self.identifier(m)) < (self.final[p][x], self.identifier(x))
            for p in self.Process
            for m in self.before.stamped[p]
            for x in self.stamped[p] - self.before.stamped[p]
            if self.live(p) and self.source(m) == self.source(x)
        )

    def explain(self, p, m, x) -> str:  # type: ignore[no-untyped-def]
        return (
            f"{p} had stamped {m} with {self.final[p][m]}, and then stamped {x} with "
            f"{self.final[p][x]}{_tie(x, self.final[p][x], self.final[p][m])}."
        )


class StampedOneByOne(StampedByTimestamp):
    """Lemma 7, also of messages that one step stamps, one after the other in the order of `turn(m)`."""

    def holds(self) -> bool:
        return all(
            (self.final[p][m], self.identifier(m)) < (self.final[p][x], self.identifier(x))
            for p in self.Process
            for m in self.stamped[p]
            for x in self.stamped[p] - self.before.stamped[p]
            if self.live(p) and self.source(m) == self.source(x)
            if m in self.before.stamped[p] or self.turn(m) < self.turn(x)
        )


class DeliveredByTimestamp(Invariant):
    """Lemma 9: who delivers m has delivered every message for it that some process has decided with a smaller
    timestamp."""

    def holds(self) -> bool:
        return all(
            x in self.delivered[p][:i]
            for p in self.Process
            for i in range(len(self.delivered[p]))
            for q in self.Process
            for x in self.decided[q]
            if self.live(p)
            and self.destination(p, x)
            and (self.final[q][x], self.identifier(x))
            < (self.final[p][self.delivered[p][i]], self.identifier(self.delivered[p][i]))
        )

    def explain(self, p, i, q, x) -> str:  # type: ignore[no-untyped-def]
        m = self.delivered[p][i]
        late = "before" if x in self.delivered[p] else "without"
        return (
            f"{p} delivered {m} with timestamp {self.final[p][m]} {late} {x}, which {q} decided with "
            f"{self.final[q][x]}{_tie(x, self.final[q][x], self.final[p][m])}."
        )


class FifoTimestamps(Invariant):
    """Lemma 10: the messages of one sender have final timestamps in the order of sending."""

    def holds(self) -> bool:
        return all(
            (self.final[p][x], self.identifier(x)) < (self.final[p][m], self.identifier(m))
            for p in self.Process
            for m in self.decided[p] | self.stamped[p]
            for x in self.decided[p] | self.stamped[p]
            if self.was_multicast(m) and self.sender(x) == self.sender(m) and self.number(x) < self.number(m)
        )

    def explain(self, p, m, x) -> str:  # type: ignore[no-untyped-def]
        return (
            f"{x} was multicast before {m}, but at {p} their timestamps are {self.final[p][x]} and "
            f"{self.final[p][m]}{_tie(m, self.final[p][x], self.final[p][m])}."
        )


class QuasiGenuine(Invariant):
    """A group sends to another group only if it may multicast to it."""

    def holds(self) -> bool:
        return all(
            self.may_send(self.group(p), g)
            for p in self.Process
            for entry in self.log[p]
            for g in self.Group
            if g != self.group(p) and self.for_group(g, entry)
        )

    def explain(self, p, entry, g) -> str:  # type: ignore[no-untyped-def]
        return f"{p} sent {entry.message} to {g}, which {self.group(p)} may not multicast to."


class NoStrangers(Invariant):
    """Quasi-genuine in the weaker sense of the introduction: two groups exchange messages only if one of them may
    multicast to the other."""

    def holds(self) -> bool:
        return all(
            self.may_send(self.group(p), g) or self.may_send(g, self.group(p))
            for p in self.Process
            for entry in self.log[p]
            for g in self.Group
            if g != self.group(p) and self.for_group(g, entry)
        )

    def explain(self, p, entry, g) -> str:  # type: ignore[no-untyped-def]
        return f"{p} sent {entry.message} to {g}, and neither of {self.group(p)} and {g} may multicast to the other."


class GroupAgreement(Quiescence):
    """What any process delivered, crashed or not, all correct processes of its group deliver.

    The part of uniform agreement that does not need new barriers for ever: both have the same sources of barriers.
    """

    def holds(self) -> bool:
        return all(
            m in self.delivered[q]
            for p in self.Process
            for m in self.delivered[p]
            for q in self.Process
            if self.live(q) and self.group(q) == self.group(p)
        )

    def explain(self, p, m, q) -> str:  # type: ignore[no-untyped-def]
        return f"{p} delivered {m}, but the correct process {q} of the same group never does."

"""What optimistic delivery promises while its assumption on delays holds: the first guess of the order is the final
order.

The model has `optimistic[p]`, the sequence of optimistic deliveries of p, besides `delivered[p]`, and `stamp(m)`, the
timestamp by the sender's clock. Source: "Optimistic Atomic Multicast in One Communication Delay", 2011, Sections 4.2
and 4.5. A wrong guess is no fault of the final order.
"""

from __future__ import annotations

from checker.language import Invariant, Quiescence


class OptimisticOrder(Invariant):
    """Nobody delivers optimistically in another order than anybody delivers finally."""

    def holds(self) -> bool:
        return all(
            not (
                x in self.optimistic[p][:i]
                and self.optimistic[p][i] in self.delivered[q][:j]
                and self.delivered[q][j] == x
            )
            for p in self.Process
            for i in range(len(self.optimistic[p]))
            for q in self.Process
            for j in range(len(self.delivered[q]))
            for x in self.Message
        )

    def explain(self, p, i, q, j, x) -> str:  # type: ignore[no-untyped-def]
        y = self.optimistic[p][i]
        finally_after = "finally after it" if p == q else f"{q} delivered it finally after {y}"
        return f"{p} delivered {x} optimistically before {y}, but {finally_after}."


class OptimisticAgreement(Invariant):
    """Nobody delivers a message optimistically after one with a larger timestamp."""

    def holds(self) -> bool:
        return all(
            self.stamp(self.optimistic[p][i]) < self.stamp(self.optimistic[p][i + 1])
            for p in self.Process
            for i in range(len(self.optimistic[p]) - 1)
        )

    def explain(self, p, i) -> str:  # type: ignore[no-untyped-def]
        return (
            f"{p} delivered {self.optimistic[p][i + 1]} optimistically after {self.optimistic[p][i]}, which has a "
            f"larger timestamp."
        )


class TimestampsKept(Invariant):
    """The final order is that of the first timestamps: none has to be raised."""

    def holds(self) -> bool:
        return all(self.stamp(self.order[i]) < self.stamp(self.order[i + 1]) for i in range(len(self.order) - 1))

    def explain(self, i) -> str:  # type: ignore[no-untyped-def]
        return f"The final order has {self.order[i]} before {self.order[i + 1]}, which has a smaller timestamp."


class OptimisticValidity(Quiescence):
    """A message that was multicast is delivered by one correct process."""

    def holds(self) -> bool:
        return all(
            any(m in self.delivered[p] for p in self.Process if self.live(p))
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m))
        )

    def explain(self, m) -> str:  # type: ignore[no-untyped-def]
        return f"The sender of {m} is correct, and no correct process delivers {m}."

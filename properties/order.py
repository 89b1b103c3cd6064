"""FIFO and causal order of delivery, for every process, crashed ones included.

A process owes nothing that was not addressed to it: "no process q in both m.dst and m'.dst delivers m' before m". What
it delivers though it is no destination is judged all the same. Causality is Lamport's happens-before between multicast
and deliver events (L. Lamport, CACM 21(7), 1978).
"""

from checker.language import Map, Set, of, var
from checker.properties.logs import LogInvariant


class FifoOrder(LogInvariant):
    """Whoever delivers a message has delivered before it every earlier message of the same sender that is for it."""

    def holds(self) -> bool:
        return all(
            self.ahead(p, x, m)
            for p in self.Process
            for m in self.delivered[p]
            for x in self.Message
            if self.sender(x) == self.sender(m) and self.number(x) < self.number(m) and self.destination(p, x)
        )

    def explain(self, p, m, x) -> str:
        return f"{p} delivered {m} {self.missed(p, x)}, which its sender multicast earlier."


class CausalOrder(LogInvariant):
    """Whoever delivers a message has delivered before it everything for it that causally precedes it.

    `predecessors[m]`: what the sender of m had multicast or delivered when it multicast m, and what precedes that in
    turn, whomever it was for.
    """

    predecessors = var(Map[of("Message"), Set[of("Message")]])

    def on_multicast(self, p, m):
        direct = set(self.delivered[p]) | {
            x for x in self.Message if self.sender(x) == p and self.number(x) < self.number(m)
        }
        self.predecessors[m] = direct | {y for x in direct for y in self.predecessors[x]}

    def holds(self) -> bool:
        return all(
            self.ahead(p, x, m)
            for p in self.Process
            for m in self.delivered[p]
            for x in self.predecessors[m]
            if self.destination(p, x)
        )

    def explain(self, p, m, x) -> str:
        return f"{p} delivered {m} {self.missed(p, x)}, which causally precedes it."

"""What the early-delivery rules promise: the same batches of messages, in the same order, at every processor.

An activation is one batch of deliveries (event `activation(p)`, then its deliver events). Source: Johnson and Maugis
1994, Section 3. The properties speak of all processors, crashed ones included, as far as a crash did not cut the
activation short.
"""

from __future__ import annotations

from checker.language import Int, Invariant, Map, derived, of, var

most = derived(lambda c: sum(c.workload) + (max(2, c.duplicates) if c.duplicates else 0))
"""Activations of one processor: one for each message that enters its graph, copies of the network included; with one or
two copies the same."""


class PrefixOrder(Invariant):
    """Of any two delivery sequences one is a prefix of the other."""

    def holds(self) -> bool:
        return all(
            all(
                self.delivered[p][i] == self.delivered[q][i]
                for i in range(min(len(self.delivered[p]), len(self.delivered[q])))
            )
            for p in self.Process
            for q in self.Process
            if p < q
        )

    def explain(self, p, q) -> str:  # type: ignore[no-untyped-def]
        return f"{p} delivered {list(self.delivered[p])}, but {q} delivered {list(self.delivered[q])}."


class ActivationAgreement(Invariant):
    """Every processor delivers the same set of messages in its k-th activation."""

    last = var(Map[of("Process"), Int(0, most)], 0)  # how many activations p has had
    # in which of them p delivered m; 0: not yet
    activation_of = var(Map[of("Process"), Map[of("Message"), Int(0, most)]], 0)

    def on_activation(self, p):  # type: ignore[no-untyped-def]
        self.last[p] += 1

    def on_deliver(self, p, m):  # type: ignore[no-untyped-def]
        self.activation_of[p][m] = self.last[p]

    def holds(self) -> bool:
        return all(
            self.activation_of[q][m] == self.activation_of[p][m]
            for p in self.Process
            for q in self.Process
            for m in self.Message
            if p != q and self.live(q) and 0 < self.activation_of[p][m] <= self.last[q]
        )

    def explain(self, p, q, m) -> str:  # type: ignore[no-untyped-def]
        k = self.activation_of[p][m]
        return f"{p} delivered {m} in its activation {k}, but {q} did not deliver it in its activation {k}."


class DeliveredOnceAllVoted(Invariant):
    """No processor keeps messages back while everybody has a message in its graph."""

    def holds(self) -> bool:
        return all(self.tail(p) < len(self.Process) for p in self.Process if self.live(p))

"""Integrity of delivery: nothing twice, nothing from nowhere.

Needs: `delivered`; NoCreation also the rule `was_multicast`.
"""

from checker.language import Invariant


class NoDuplication(Invariant):
    """Nobody delivers a message twice."""

    def holds(self) -> bool:
        return all(sum(1 for x in self.delivered[p] if x == m) <= 1 for p in self.Process for m in self.Message)

    def explain(self, p, m) -> str:
        return f"{p} delivered {m} twice."


class NoCreation(Invariant):
    """Only messages that were multicast are delivered."""

    def holds(self) -> bool:
        return all(self.was_multicast(m) for p in self.Process for m in self.delivered[p])

    def explain(self, p, m) -> str:
        return f"{p} delivered {m}, which nobody multicast."

"""Acyclic delivery: one global order explains all logs.

Stronger than pairwise total order where destination sets differ: three groups can order three messages in a circle although no two processes disagree.
"""

from properties.logs import LogInvariant


class Acyclicity(LogInvariant):
    """The union of all local delivery orders has no cycle."""

    def successors(self, m):
        """What some process delivered after m."""
        return {x for x in self.Message if x != m and any(self.orders(p, m, x) for p in self.Process)}

    def holds(self) -> bool:
        return all(not self.on_cycle(m) for m in self.Message)

    def on_cycle(self, m) -> bool:
        """m can be reached from m along delivery orders."""
        reached = self.successors(m)
        for _ in self.Message:
            reached = reached | {y for x in reached for y in self.successors(x)}
        return m in reached

    def explain(self, m) -> str:
        return f"following delivery orders from {m} leads back to {m}."

"""Acyclic delivery: one global order explains all logs.

Stronger than pairwise total order where destination sets differ: three groups can order three messages in a circle
although no two processes disagree.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from checker.properties.logs import LogInvariant


class Acyclicity(LogInvariant):
    """The union of all local delivery orders has no cycle."""

    def successors(self, m):
        """What some process delivered after m."""
        return {x for p in self.Process if m in self.delivered[p] for x in self.delivered[p] if self.orders(p, m, x)}

    def holds(self) -> bool:
        return all(not self.on_cycle(m) for m in self.Message)

    def on_cycle(self, m) -> bool:
        """m can be reached from m along delivery orders, with as many rounds as deliveries: a circle is no longer."""
        reached = self.successors(m)
        for p in self.Process:
            for _ in self.delivered[p]:
                reached = reached | {y for x in reached for y in self.successors(x)}
        return m in reached

    def explain(self, m) -> str:
        circle = _circle(self, m)
        parts = [
            (f"{a} before {b} at {next(p for p in self.Process if self.orders(p, a, b))}") for a, b in pairwise(circle)
        ]
        return f"The deliveries go in a circle: {', '.join(parts)}."


def _circle(state: Acyclicity, m: Any) -> list[Any]:
    """A shortest way from m to m along delivery orders."""
    ways = [[m]]
    while not any(way[1:] and way[-1] == m for way in ways):
        ways = [[*way, x] for way in ways for x in sorted(state.successors(way[-1])) if x == m or x not in way]
    return next(way for way in ways if way[-1] == m)

"""Total order of delivery in its four strengths.

Plain: about processes that are alive.  Uniform: about all processes, so that what a process did before it crashed
counts.  Without gaps: whoever delivers a message has also delivered what others delivered before it, if it is for it;
without that, one process may skip a message for ever. Source of the distinction: X. Defago, A. Schiper, P. Urban,
"Total order broadcast and multicast algorithms", ACM Computing Surveys 36(4), 2004.
"""

from checker.properties.logs import LogInvariant


class TotalOrder(LogInvariant):
    """Two live processes that both delivered two messages did so in the same order."""

    def holds(self) -> bool:
        return all(
            not (self.orders(p, m, x) and self.orders(q, x, m))
            for p in self.Process
            for q in self.Process
            if p < q and self.live(p) and self.live(q)
            for m in self.delivered[p]
            for x in self.delivered[q]
            if m != x
        )

    def explain(self, p, q, m, x) -> str:
        return f"{p} delivered {m} before {x}, but {q} delivered {x} before {m}."


class UniformTotalOrder(LogInvariant):
    """Two processes, crashed or not, that both delivered two messages did so in the same order."""

    def holds(self) -> bool:
        return all(
            not (self.orders(p, m, x) and self.orders(q, x, m))
            for p in self.Process
            for q in self.Process
            if p < q
            for m in self.delivered[p]
            for x in self.delivered[q]
            if m != x
        )

    def explain(self, p, q, m, x) -> str:
        return f"{p} delivered {m} before {x}, but {q} delivered {x} before {m}."


class GapFreeTotalOrder(LogInvariant):
    """If a live process delivered m before x, every live destination of m that delivered x delivered m before it."""

    def holds(self) -> bool:
        return all(
            self.ahead(q, m, x)
            for p in self.Process
            for q in self.Process
            if p != q and self.live(p) and self.live(q)
            for x in self.delivered[q]
            for m in self.Message
            if m != x and self.destination(q, m) and self.orders(p, m, x)
        )

    def explain(self, p, q, x, m) -> str:
        return f"{p} delivered {m} before {x}, but {q} delivered {x} without {m} before it."


class UniformGapFreeTotalOrder(LogInvariant):
    """If any process delivered m before x, every destination of m that delivered x delivered m before it."""

    def holds(self) -> bool:
        return all(
            self.ahead(q, m, x)
            for p in self.Process
            for q in self.Process
            if p != q
            for x in self.delivered[q]
            for m in self.Message
            if m != x and self.destination(q, m) and self.orders(p, m, x)
        )

    def explain(self, p, q, x, m) -> str:
        return f"{p} delivered {m} before {x}, but {q} delivered {x} without {m} before it."

"""What properties of order say about delivery logs.

The place of a message in a log is that of its first delivery; a second delivery is the business of NoDuplication.
"""

from checker.language import Invariant


class LogInvariant(Invariant):
    """An invariant over the logs `delivered`."""

    def ahead(self, p, m, x) -> bool:
        """p delivered m, and did not deliver x before it."""
        for y in self.delivered[p]:
            if y == x:
                return False
            if y == m:
                return True
        return False

    def missed(self, p, x) -> str:
        """In a sentence about what p delivered ahead of x: whether p has delivered x by now."""
        return f"before {x}" if x in self.delivered[p] else f"without {x}"

    def orders(self, p, m, x) -> bool:
        """p delivered m, then x."""
        return x in self.delivered[p] and self.ahead(p, m, x)

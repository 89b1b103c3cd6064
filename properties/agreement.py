"""Agreement: when everything has come to rest, correct destinations have delivered the same messages.

Checked at quiescence: a run that never rests is not judged.  A correct process is one that has not crashed by then.
"""

from checker.language import Quiescence


class Agreement(Quiescence):
    """What one correct process delivered, all correct destinations delivered."""

    def holds(self) -> bool:
        return all(
            m in self.delivered[q]
            for p in self.Process
            if self.live(p)
            for m in self.delivered[p]
            for q in self.Process
            if self.live(q) and self.destination(q, m)
        )

    def explain(self, p, m, q) -> str:
        return f"{p} delivered {m}, but {q} never does; both are correct."


class UniformAgreement(Quiescence):
    """What any process delivered, crashed or not, all correct destinations delivered."""

    def holds(self) -> bool:
        return all(
            m in self.delivered[q]
            for p in self.Process
            for m in self.delivered[p]
            for q in self.Process
            if self.live(q) and self.destination(q, m)
        )

    def explain(self, p, m, q) -> str:
        return f"{p} delivered {m}, but the correct process {q} never does."

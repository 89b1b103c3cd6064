"""Liveness of multicast, checked at quiescence: when nothing but faults can happen any more, what was promised has
happened.

A run that never rests is not judged; neither is a message that its sender never multicast.
"""

from checker.language import Quiescence


class Termination(Quiescence):
    """A message multicast by a correct process is delivered by all correct destinations."""

    def holds(self) -> bool:
        return all(
            m in self.delivered[p]
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m))
            for p in self.Process
            if self.live(p) and self.destination(p, m)
        )

    def explain(self, m, p) -> str:
        return f"{p} never delivers {m}, though {p} and the sender of {m} are correct."


class Validity(Quiescence):
    """A correct sender that is a destination delivers its own message."""

    def holds(self) -> bool:
        return all(
            m in self.delivered[self.sender(m)]
            for m in self.Message
            if self.was_multicast(m) and self.live(self.sender(m)) and self.destination(self.sender(m), m)
        )

    def explain(self, m) -> str:
        return f"{self.sender(m)} is correct and never delivers its own message {m}."

"""Why agreed timestamps give one order: what the slides and the lecture say of the hold-back queue of ISIS.

The model has `held[p][m]`, None or a record with `stamp` (proposed, then final), and a message is still held when it is
delivered. Source: slides "Totally ordered multicast" 8/9, "Why does this work?"; lecture, "re. correctness of B". Of a
crashed process nothing is claimed but what it has delivered.
"""

from __future__ import annotations

from checker.language import Invariant, Map, Optional, StepInvariant, of, var


class OnlyBackwards(StepInvariant):
    """A message in the hold-back queue never gets a smaller timestamp than it had: no final one is smaller than what a
    receiver proposed."""

    def stays(self, p, m) -> bool:  # type: ignore[no-untyped-def]
        """What m had in the queue of p is not more than what it has, if it is there before and after the step."""
        old, new = self.before.held[p][m], self.held[p][m]
        return old is None or new is None or old.stamp <= new.stamp

    def holds(self) -> bool:
        return all(self.stays(p, m) for p in self.Process for m in self.Message)

    def explain(self, p, m) -> str:  # type: ignore[no-untyped-def]
        return f"In the queue of {p}, {m} moves forward to {self.held[p][m].stamp}."


class NothingEarlierArrives(Invariant):
    """Once a process has delivered a message it delivers none with a smaller final timestamp."""

    latest = var(Map[of("Process"), Optional[of("Stamp")]])  # of what p delivered last
    # what p delivered behind something with a larger timestamp
    behind = var(Map[of("Process"), Optional[of("Message")]])

    def on_deliver(self, p, m):  # type: ignore[no-untyped-def]
        mine, last = self.held[p][m], self.latest[p]
        if mine is not None:
            if last is not None and mine.stamp < last:
                self.behind[p] = m
            self.latest[p] = mine.stamp

    def holds(self) -> bool:
        return all(self.behind[p] is None for p in self.Process)

    def explain(self, p) -> str:  # type: ignore[no-untyped-def]
        return f"{p} delivered {self.behind[p]} behind a message with a larger final timestamp."

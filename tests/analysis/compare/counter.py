"""A counter for each site, and edits of it that a comparison is easily wrong about."""

from __future__ import annotations

from enum import Enum

from checker.language import (
    Bool,
    Distributed,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Process,
    action,
    const,
    constraint,
    invariant,
    require,
    rule,
    var,
)


class Color(Enum):
    """Of a lamp."""

    red = 0
    green = 1


class Counter(Model):
    """Sites count; the rules are asked for small numbers by one action, and for 3 by the other."""

    Site = Ids("s", 2)
    n = var(Map[Site, Int(0, 3)], 0)
    flag = var(Bool, False)
    color = var(Color, Color.red)
    outcome = ("n",)

    @action
    def step(self, p: Site, k: Int(0, 1)):
        require(self.may(p, k))
        self.n[p] += 1

    @action
    def other(self, p: Site):
        require(self.may(p, 3) and self.n[p] < 3)
        self.n[p] += 1

    @rule
    def may(self, p: Site, k):
        return self.n[p] + k < 3

    @rule
    def unasked(self, p: Site) -> bool:
        return self.n[p] > 1

    @invariant
    def first(self) -> bool:
        return self.n[self.Site[0]] < 3


class OtherRange(Counter):
    """EDIT: the action is tried with 0 alone."""

    def step(self, p, k: Int(0, 0)):
        require(self.may(p, k))
        self.n[p] += 1


class OtherUnasked(Counter):
    """EDIT: a rule that nobody asks."""

    @rule
    def unasked(self, p):
        return self.n[p] > 0


class ForThree(Counter):
    """EDIT: another answer for 3 alone, which the second action asks for."""

    @rule
    def may(self, p, k):
        return self.n[p] + k < 3 or k == 3


class NotAsked(Counter):
    """EDIT: the rule is another one, and nobody asks for it any more."""

    @rule
    def may(self, p, k):
        return self.n[p] + k < 2

    def step(self, p, k):
        require(self.n[p] < 1)
        self.n[p] += 1

    def other(self, p):
        require(self.n[p] < 1)
        self.n[p] += 1


class Wider(Counter):
    """EDIT: room for one more."""

    n = var(Map[Counter.Site, Int(0, 4)], 0)


class WiderAndOther(Counter):
    """EDIT: room for one more, and a rule that uses it."""

    n = var(Map[Counter.Site, Int(0, 4)], 0)

    @rule
    def may(self, p, k):
        return self.n[p] + k < 4


class Apart(Counter):
    """EDIT: no value in common."""

    n = var(Map[Counter.Site, Int(4, 5)], 4)


class FailingProperty(Counter):
    """EDIT: the property divides by zero after the first step, which is as before."""

    @invariant
    def first(self) -> bool:
        return 1 // (1 - self.n[self.Site[0]]) < 5


class PerhapsNoColor(Counter):
    """EDIT: there may be no color, and the invariant is stronger."""

    color = var(Optional[Color], None)

    @invariant
    def first(self) -> bool:
        return self.n[self.Site[0]] < 1


class Bounded(Counter):
    """EDIT: what lies beyond one is not explored."""

    @constraint
    def within(self) -> bool:
        return self.n[self.Site[0]] < 2


class Failing(Model):
    """The second step leaves the range."""

    n = var(Int(0, 1), 0)

    @action
    def step(self):
        self.n += 1


class FailingAgain(Failing):
    """EDIT: the same, in another line."""

    def step(self):
        """As before."""
        self.n += 1


class FailingElsewhere(Failing):
    """EDIT: another statement goes wrong."""

    def step(self):
        self.n = self.n + 1


class Forgetting(Distributed):
    """Processes count, and a crash makes them forget."""

    crashes = const(1, "how many may crash")
    count = var(Map[Process, Int(0, 1)], 0)

    @action
    def step(self, p: Process):
        require(self.count[p] == 0)
        self.count[p] = 1


class Remembering(Forgetting):
    """EDIT: a crash does not."""

    count = var(Map[Process, Int(0, 1)], 0, kept=True)

# expect: invariant never_p3 distinct=9 transitions=9 depth=3
"""A variable without an initial value that the @initial method assigns first: of identities, a record with a map, a map of records; in a property too."""

from checker.language import (
    Bool,
    Ids,
    Int,
    Invariant,
    Map,
    Model,
    Record,
    Set,
    action,
    anything,
    choose,
    initial,
    invariant,
    var,
)


class Began(Invariant):
    """What the property remembers of the start is one of three."""

    first = var(Int(1, 3))

    @initial
    def begin(self):
        self.first = self.holder.index + 1

    def holds(self) -> bool:
        return 0 < self.first < 4


class AssignedInTheInitialMethod(Model):
    P = Ids("p", 3)
    R = Record(n=Int(1, 3), votes=Map[P, Bool], s=Set[P])
    holder = var(P)
    x = var(R)
    y = var(Map[Bool, R])
    turn = var(Bool, anything)
    properties = [Began]

    @initial
    def start(self):
        """Three values are made."""
        k = choose([1, 2])
        self.x = self.R(k, {p: False for p in self.P}, {self.P[0]})
        if k == 2:
            self.turn = False
        self.holder = self.P[k - 1]
        self.y = {False: self.R(2, {p: False for p in self.P}, set()), True: self.R(2, {p: True for p in self.P}, set())}

    @action
    def step(self):
        self.holder = self.P[(self.holder.index + 1) % 3]

    @invariant
    def never_p3(self) -> bool:
        return self.holder != self.P[2] and self.x.n < 3

    @invariant
    def made(self) -> bool:
        return all(self.y[b].n == 2 and all(self.y[b].votes[p] == b for p in self.P) for b in (False, True)) and self.P[0] in self.x.s

# expect: invariant never_all distinct=8 transitions=24 depth=4
"""Initial values of records with maps, sets, sequences, optionals and records in them; a plain value stands for a map in a record too; a record all of whose fields have a start has one; a bag may start with items."""

from enum import Enum

from checker.language import (
    Bag,
    Bool,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Record,
    Seq,
    Set,
    action,
    invariant,
    var,
)


class Colour(Enum):
    red = 0
    green = 1


class InitialValuesOfRecords(Model):
    P = Ids("p", 3)
    R = Record(n=Int(0, 3), votes=Map[P, Bool], s=Set[P], q=Seq[Int(0, 2), 2], o=Optional[Record(k=Map[P, Int(0, 2)])], c=Colour)
    E = Record(votes=Map[P, Bool], s=Set[P], q=Seq[P, 1])
    x = var(R, (0, False, frozenset(), (1, 2), (2,), Colour.green))
    y = var(Map[P, R], (1, True, frozenset(), (), None, Colour.red))
    z = var(E)
    m = var(Map[Bool, E], {False: (True, frozenset(), ()), True: (False, frozenset(), ())})
    b = var(Bag[Int(0, 3), 3], (1, 1))

    @action
    def vote(self, p: P):
        x = self.x
        self.x = self.R(x.n, {q: x.votes[q] or q == p for q in self.P}, x.s | {p}, x.q, x.o, x.c)

    @invariant
    def starts(self) -> bool:
        first = all(self.y[p].votes[q] and self.y[p].n == 1 and self.y[p].o is None and self.y[p].c == Colour.red for p in self.P for q in self.P)
        kept = self.x.o is not None and all(self.x.o.k[p] == 2 for p in self.P) and self.x.q == [1, 2] and self.x.c == Colour.green
        return first and kept and all(self.m[False].votes[p] and not self.m[True].votes[p] and not self.z.votes[p] for p in self.P) and self.b.count(1) == 2

    @invariant
    def never_all(self) -> bool:
        return len(self.x.s) < 3

# expect: holds distinct=13 transitions=12 depth=3
"""Two collections with different bounds in a conditional expression fit one whose items are Optional."""

from checker.language import Ids, Int, Map, Model, Optional, Seq, Set, action, invariant, require, var


class ConditionalAmongWiderItems(Model):
    P = Ids("p", 2)
    turn = var(Int(0, 2), 0)
    narrow = var(Set[Int(0, 3)])
    wide = var(Set[Int(0, 5)])
    chosen = var(Set[Optional[Int(0, 3)]])
    short = var(Seq[Int(0, 3), 2])
    long = var(Seq[Int(0, 5), 4])
    log = var(Seq[Optional[Int(0, 3)], 3])
    low = var(Map[P, Int(0, 3)], 1)
    high = var(Map[P, Int(0, 5)], 2)
    held = var(Map[P, Optional[Int(0, 3)]])

    @action
    def fill(self, n: Int(0, 3)):
        require(self.turn == 0)
        self.narrow, self.wide, self.short, self.long = {n}, {3 - n}, [n], [3 - n]
        self.turn = 1

    @action
    def choose(self, first: Int(0, 1)):
        require(self.turn == 1)
        self.chosen = self.narrow if first == 1 else self.wide
        self.log = self.short if first == 1 else self.long
        self.held = self.low if first == 1 else self.high
        self.turn = 2

    @invariant
    def alike(self) -> bool:
        return self.turn < 2 or all(n in self.chosen and n is not None for n in self.log)

    @invariant
    def together(self) -> bool:
        return all(self.held[p] in (None, 1, 2) for p in self.P)

# expect: error 16 distinct=16 transitions=24 depth=7
"""In place, an entry of an entry is the one that both keys lead to as they are then; parameters that are collections are each their own place."""

from checker.language import Int, Map, Model, Set, action, require, var


class InPlace(Model):
    a = var(Int(0, 2), 0)
    b = var(Int(0, 2), 1)
    rows = var(Map[Int(0, 2), Map[Int(0, 2), Int(0, 2)]], 0)
    held = var(Map[Int(0, 2), Set[Int(0, 2)]], {0})

    @action
    def add(self):
        require(self.rows[0][1] == 0)
        self.rows[self.a][self.b] += 1

    @action
    def take(self):
        require(self.rows[0][1] == 1)
        self.rows[self.a][self.b] -= self.rows[self.a][self.rows[0][1]]
        self.a, self.b = self.b, self.a

    @action
    def move(self):
        require(0 in self.held[self.a])
        self.carry(self.held[self.a], self.held[self.b], 0)

    def carry(self, here, there, item):
        here.discard(item)
        there.add(item + 1)

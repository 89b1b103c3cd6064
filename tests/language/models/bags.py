# expect: holds distinct=20 transitions=60 depth=4
"""A bag counts copies."""

from checker.language import Bag, Int, Model, action, choose, invariant, require, var


class Bags(Model):
    b = var(Bag[Int(0, 2), 3])

    @action
    def put(self, x: Int(0, 2)):
        require(len(self.b) < 3)
        self.b.add(x)

    @action
    def take(self):
        x = choose(self.b)
        self.b.remove(x)
        if self.b.count(x) > 0:
            self.b.discard(x)

    @invariant
    def bounded(self) -> bool:
        return sum(self.b.count(x) for x in range(3)) == len(self.b)

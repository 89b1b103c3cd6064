# refused: x[0].add(3) changes a collection that s may name too

from checker.language import Int, Model, Set, action, invariant, require, var


class Refusing(Model):
    """The values of a local map are the collections that were put there."""
    s = var(Set[Int(0, 3)], {1})

    @action
    def step(self):
        require(len(self.s) == 1)
        x = {k: self.s for k in range(2)}
        x[0].add(3)  # here

    @invariant
    def one(self) -> bool:
        return len(self.s) == 1

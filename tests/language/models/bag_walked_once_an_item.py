# expect: invariant grows distinct=4 transitions=3 depth=4

from checker.language import Bag, Int, Model, action, invariant, require, var


class M(Model):
    """sorted(bag), list(bag), enumerate(bag) and iterating give each distinct item once."""
    b = var(Bag[Int(0, 3), 3])

    @action
    def step(self):
        require(len(self.b) < 3)
        self.b.add(1)

    @invariant
    def grows(self) -> bool:
        return len(sorted(self.b)) == len(self.b)

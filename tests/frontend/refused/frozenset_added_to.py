# refused: `c |= d` is not in the language for a frozenset

from checker.language import Int, Model, Set, action, invariant, require, var


class Refusing(Model):
    """y |= on a frozenset makes a new one."""
    s = var(Set[Int(0, 3)], {1})
    n = var(Int(0, 9), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = frozenset(self.s)
        y = x
        y |= {3}  # here
        self.n = len(x)

    @invariant
    def fine(self) -> bool:
        return self.n != 1

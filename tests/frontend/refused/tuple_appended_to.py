# refused: `c.append(v)` is not in the language for a tuple

from checker.language import Int, Model, Seq, Set, action, invariant, require, var


class Refusing(Model):
    """Tuples have no append, frozensets no add."""
    q = var(Seq[Int(0, 3), 3], [1])
    s = var(Set[Int(0, 3)])

    @action
    def step(self):
        require(len(self.s) == 0)
        x = tuple(self.q)
        x.append(2)  # here
        y = frozenset(self.s)
        y.add(3)
        self.s = y | {x[1]}

    @invariant
    def fine(self) -> bool:
        return len(self.q) == 1

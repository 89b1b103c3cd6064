# expect: invariant fine distinct=2 transitions=1 depth=2

from checker.language import Int, Model, Set, action, invariant, require, var


class M(Model):
    """A set comprehension passed to a procedure is the state itself."""
    s = var(Set[Int(0, 3)], {1})
    done = var(Int(0, 1), 0)

    def grow(self, xs):
        xs.add(3)

    @action
    def step(self):
        require(self.done == 0)
        self.done = 1
        self.grow({x for x in self.s})

    @invariant
    def fine(self) -> bool:
        return self.done == 0 or 3 in self.s

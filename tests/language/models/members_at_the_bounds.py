# expect: holds distinct=28 transitions=784 depth=2
"""A number is looked for in sets of narrower numbers: below, at, above their bounds."""

from checker.language import Int, Model, Set, action, var


class MembersAtTheBounds(Model):
    n = var(Int(-2, 4), 0)
    found = var(Int(0, 3), 0)
    s = var(Set[Int(0, 2)], {0, 2})
    t = var(Set[Int(-1, 1)], {-1})

    @action
    def look(self, n: Int(-2, 4), other: Int(0, 3)):
        self.n = n
        self.found = other
        assert (n in self.s) == (n == 0 or n == 2)
        assert (n in self.t) == (n == -1)
        assert (n + other in self.s) == (n + other == 0 or n + other == 2)

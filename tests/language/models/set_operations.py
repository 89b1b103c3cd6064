# expect: holds distinct=93 transitions=214 depth=8
"""Set operators, subset tests, comprehensions."""

from checker.language import Int, Model, Set, action, invariant, require, var


class SetOperations(Model):
    S = Int(0, 3)
    a = var(Set[S])
    b = var(Set[S])

    @action
    def put(self, x: S):
        require(x not in self.a | self.b)
        if x % 2 == 1:
            self.a.add(x)
        else:
            self.b |= {x}

    @action
    def shift(self):
        require(self.a and not self.a <= self.b)
        self.a, self.b = self.b, self.a - self.b

    @action
    def mix(self):
        require(self.a & self.b == set())
        both = self.a ^ self.b
        require({0, 1} <= both)
        self.a = {x for x in both if x > 0}
        self.b -= {0, 2}
        self.b &= {1, 3}

    @invariant
    def members(self) -> bool:
        return self.a <= set(self.S) and self.a >= self.a & self.b

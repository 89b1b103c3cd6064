# expect: holds distinct=58 transitions=137 depth=8
"""Sets of more members than a word has bits, and their operations."""

from checker.language import Int, Model, Set, action, require, var


class WideSets(Model):
    a = var(Set[Int(0, 150)], {0, 3, 100, 150})
    b = var(Set[Int(0, 150)], {0, 63, 65, 149})
    both = var(Set[Int(0, 150)], set())
    either = var(Set[Int(0, 150)], set())
    only = var(Set[Int(0, 150)], set())
    one = var(Set[Int(0, 150)], set())
    below = var(bool, False)
    least = var(Int(0, 150), 0)

    @action
    def combine(self, n: Int(63, 66)):
        require(n not in self.a)
        self.a.add(n)
        self.both = self.a & self.b
        self.either = self.a | self.b
        self.only = self.a - self.b
        self.one = self.a ^ self.b
        self.below = self.both < self.a and self.b <= self.either
        self.least = min(x for x in self.either if x > 63)
        assert not self.only & self.b and bool(self.a & self.b) == bool(self.both)
        assert len(self.either) == len(self.both) + len(self.one)

    @action
    def remove(self):
        require(66 in self.a)
        self.a.remove(66)
        self.b = {x for x in self.a if x % 2 == 0} | {63, 149}

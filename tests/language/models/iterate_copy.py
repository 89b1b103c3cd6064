# expect: holds distinct=16 transitions=53 depth=5
"""A collection may be changed in a loop over a copy of it."""

from checker.language import Int, Model, Set, action, require, var


class IterateCopy(Model):
    s = var(Set[Int(0, 3)])

    @action
    def put(self, x: Int(0, 3)):
        require(x not in self.s)
        self.s.add(x)

    @action
    def thin(self):
        require(len(self.s) > 2)
        for x in list(self.s):
            if x + 1 in self.s:
                self.s.remove(x)

    @action
    def first_even(self):
        for x in self.s:
            if x % 2 == 0:
                self.s.remove(x)
                break

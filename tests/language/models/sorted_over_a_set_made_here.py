# expect: holds distinct=2 transitions=2 depth=2
"""Sorting hides the order of a set that is made in the method, so the set may be walked."""

from checker.language import Int, Model, action, var


class SortedOverASetMadeHere(Model):
    a = var(Int(0, 20), 10)
    b = var(Int(0, 20), 12)
    n = var(Int(0, 30), 0)

    @action
    def go(self):
        self.n = sorted(x + 1 for x in {self.a, self.b})[0]

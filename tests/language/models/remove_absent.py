# expect: error 17 distinct=3 transitions=9 depth=2
"""Removing what is not there is a model error; discarding it is not."""

from checker.language import Int, Model, Set, action, var


class RemoveAbsent(Model):
    s = var(Set[Int(0, 1)])

    @action
    def put(self, x: Int(0, 1)):
        self.s.discard(1 - x)
        self.s.add(x)

    @action
    def drop(self):
        self.s.remove(0)

# expect: error 15 distinct=13 transitions=13 depth=2
"""The first parts that are unlike decide the order of two tuples: one that is None is an error."""

from checker.language import Bool, Int, Model, Optional, action, anything, var


class OptionalInATupleThatIsNone(Model):
    N = Int(0, 1)
    x = var(Optional[N], anything)
    y = var(Optional[N], anything)
    found = var(Bool, False)

    @action
    def compare(self):
        self.found = (1, (self.x, 0)) < (1, (self.y, 1))

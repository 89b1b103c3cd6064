# expect: invariant Small distinct=4 transitions=3 depth=4
"""In a property, self is the property first and then the model: its own attributes, types and variables come before the model's of the same name."""

from checker.language import Int, Invariant, Model, action, const, require, var


class Small(Invariant):
    LIMIT = 2
    bound = 1
    x = 3
    Number = Int(0, 1)

    def holds(self) -> bool:
        return self.y < self.LIMIT and self.bound == 1 and self.x == 3 and len(self.Number) == 2


class Attributes(Model):
    LIMIT = 5
    bound = const(5, "")
    Number = Int(0, 3)
    x = var(Number, 0)
    y = var(Number, 0)
    properties = [Small]

    @action
    def go(self):
        require(self.y < self.bound - 2)
        self.y += 1
        self.x = self.y

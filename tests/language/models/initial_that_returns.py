# expect: holds distinct=1 transitions=1 depth=1
"""`return` in an @initial method ends it, and not the constraints that an initial state must satisfy: the start at 2 is none."""

from checker.language import Int, Model, action, anything, constraint, initial, invariant, require, var


class InitialThatReturns(Model):
    x = var(Int(0, 3), anything)

    @initial
    def start(self):
        if self.x == 2:
            return
        self.x = 1

    @constraint
    def small(self) -> bool:
        return self.x < 2

    @action
    def step(self):
        require(self.x < 3)
        self.x += 1

    @invariant
    def never_two(self) -> bool:
        return self.x < 3

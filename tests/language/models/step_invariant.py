# expect: step grows distinct=6 transitions=12 depth=3
"""self.before is the state before the step."""

from checker.language import Int, Model, action, require, step_invariant, var


class StepInvariantModel(Model):
    n = var(Int(0, 5), 0)

    @action
    def up(self, by: Int(1, 3)):
        require(self.n + by <= 5)
        self.n += by

    @step_invariant
    def grows(self) -> bool:
        return self.n > self.before.n and self.distance() <= 2

    def distance(self):
        return self.n - self.before.n

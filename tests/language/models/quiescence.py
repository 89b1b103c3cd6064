# expect: quiescence finished distinct=8 transitions=7 depth=5
"""A quiescence property is looked at only where nothing but faults is enabled."""

from checker.language import Bool, Int, Model, action, quiescent, require, var


class QuiescenceModel(Model):
    n = var(Int(0, 3), 0)
    stuck = var(Bool)

    @action
    def up(self):
        require(self.n < 3 and not self.stuck)
        self.n += 1

    @action(fault=True)
    def freeze(self):
        require(not self.stuck)
        self.stuck = True

    @quiescent
    def finished(self) -> bool:
        return self.n == 3

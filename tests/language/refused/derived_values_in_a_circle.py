# refused: the derived value low needs itself (low -> high -> low)

from checker.language import Int, Model, action, derived, var


class A(Model):
    low = derived(lambda c: c.high - 1)
    high = derived(lambda c: c.low + 1)  # here
    n = var(Int(0, 3), 0)

    @action
    def up(self):
        self.n = 1

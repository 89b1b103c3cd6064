# refused: x[self.n if self.flag else 2] may be a new key of the dict

from checker.language import Int, Model, action, var


class Refusing(Model):
    """A key may be new in one branch of a conditional expression: the dict has no key 3."""

    n = var(Int(0, 3), 3)
    flag = var(bool, True)
    out = var(Int(0, 9), 0)

    @action
    def step(self):
        x = {k: 0 for k in range(3)}
        x[self.n if self.flag else 2] = 3  # here
        self.out = x[0]

# refused: the type of something here is never known

from checker.language import Int, Model, action, const, require, var


class Refusing(Model):
    """min of nothing fails in Python; the comprehension around it is not empty."""

    none = const((), "no numbers")
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        require(self.n == 0)
        self.n = len([j for j in range(3) if min(e for e in self.none) == 1])  # here

# refused: x is bound anew here, and keeps that value where the guard fails

from checker.language import Int, Model, action, invariant, require, var


class Refusing(Model):
    """A name that a pattern bound keeps its value where the guard fails."""
    i = var(Int(0, 3), 1)
    n = var(Int(0, 5), 0)

    @action
    def step(self):
        require(self.n == 0)
        x = 5
        match self.i:
            case x if x > 2:  # here
                self.n = 2
            case _:
                self.n = x

    @invariant
    def never_one(self) -> bool:
        return self.n != 1

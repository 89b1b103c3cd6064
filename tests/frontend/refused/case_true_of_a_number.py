# refused: case True matches True itself only, and this is Int(0, 3)

from checker.language import Int, Model, action, invariant, require, var


class Refusing(Model):
    """case True matches True only, not 1."""
    i = var(Int(0, 3), 1)
    n = var(Int(0, 5), 0)

    @action
    def step(self):
        require(self.n == 0)
        match self.i:
            case True:  # here
                self.n = 1
            case _:
                self.n = 2

    @invariant
    def never_two(self) -> bool:
        return self.n != 2

# refused: LIMITS is a list, which a method cannot use

from checker.language import Int, Model, action, require, var

LIMITS = [1, 2]


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.n < LIMITS[0])  # here
        self.n += 1

# refused: constant (unnamed) is used, but the model does not declare it

from checker.language import Int, Model, action, const, var

size = const(3)


class A(Model):
    n = var(Int(0, size), 0)  # here

    @action
    def up(self):
        self.n = 1

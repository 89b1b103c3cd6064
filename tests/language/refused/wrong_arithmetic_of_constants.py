# refused: a value computed from the constants goes wrong

from checker.language import Int, Model, action, const, var


class A(Model):
    sizes = const((1, 2))
    n = var(Int(0, sizes + 1), 0)  # here

    @action
    def up(self):
        self.n = 1

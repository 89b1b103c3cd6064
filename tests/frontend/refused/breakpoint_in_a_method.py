# refused: breakpoint is a function, which a method cannot use

from checker.language import Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        breakpoint()  # here
        self.n = 1

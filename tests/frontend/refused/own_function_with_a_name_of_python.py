# refused: max is a function, which a method cannot use

from checker.language import Int, Model, action, var


def max(a, b):
    return a


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        self.n = max(self.n, 2)  # here

# refused: x may have no value here

from checker.language import Bool, Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self, a: Bool):
        if a:
            x = 1
        if a:
            self.n = x  # here

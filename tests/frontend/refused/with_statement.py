# refused: with is not in the language

from checker.language import Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        with self.n:  # here
            self.n = 1

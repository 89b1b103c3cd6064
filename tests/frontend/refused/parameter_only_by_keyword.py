# refused: a parameter with * is not in the language

from checker.language import Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 1)

    @action
    def go(self):
        self.n = self.next(by=1)

    def next(self, *, by):  # here
        return (self.n + by) % 4

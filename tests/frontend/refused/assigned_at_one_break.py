# refused: x may have no value here

from checker.language import Bool, Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self, a: Bool, b: Bool):
        while True:
            if a:
                break
            x = 1
            if b:
                break
        self.n = x  # here

# refused: x may have no value here

from checker.language import Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self, most: Int(0, 2)):
        k = 0
        while k < most:
            x = k
            k += 1
        self.n = x  # here

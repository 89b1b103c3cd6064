# refused: x may have no value here

from checker.language import Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        match self.n:
            case 0:
                x = 1
            case _:
                pass
        self.n = x  # here

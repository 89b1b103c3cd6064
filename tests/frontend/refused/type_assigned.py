# refused: the type level is assigned

from checker.language import Bool, Int, Model, action, var


class Refusing(Model):
    level = Int(0, 3)
    done = var(Bool)

    @action
    def rise(self):
        self.level = 1  # here

# refused: self.asked is no variable: the class says asked = 0

from checker.language import Bool, Model, action, var


class Refusing(Model):
    asked = 0
    done = var(Bool)

    @action
    def ask(self):
        self.asked = 1  # here

# refused: finish returns a value that nobody receives

from checker.language import Bool, Model, action, var


class Refusing(Model):
    done = var(Bool)

    @action
    def finish(self):
        self.done = True
        return self.done  # here

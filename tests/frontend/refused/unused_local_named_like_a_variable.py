# refused: done is a local here, and nothing reads it

from checker.language import Bool, Model, action, var


class Refusing(Model):
    done = var(Bool)

    @action
    def finish(self):
        done = True  # here

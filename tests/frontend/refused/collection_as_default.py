# refused: a collection is the default of a parameter

from checker.language import Bool, Model, action, rule, var


class Refusing(Model):
    done = var(Bool)

    @rule
    def among(self, n, some=[1, 2]):  # here
        return n in some

    @action
    def finish(self):
        self.done = self.among(1)

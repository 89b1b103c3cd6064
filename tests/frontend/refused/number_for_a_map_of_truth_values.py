# refused: 1 does not fit Map[Bool, Int(0, 3)]

from checker.language import Bool, Int, Map, Model, action, var


class Refusing(Model):
    e = var(Map[Bool, Int(0, 3)], 0)

    @action
    def go(self):
        self.e = 1  # here

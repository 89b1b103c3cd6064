# refused: 1 does not fit Map[Int(1, 2), Int(0, 3)]

from checker.language import Int, Map, Model, action, var


class Refusing(Model):
    e = var(Map[Int(1, 2), Int(0, 3)], 0)

    @action
    def go(self):
        self.e = 1  # here

# refused: 1 does not fit Map[Color, Int(0, 3)]

from enum import Enum

from checker.language import Int, Map, Model, action, var


class Color(Enum):
    red = 0
    green = 1


class Refusing(Model):
    e = var(Map[Color, Int(0, 3)], 0)

    @action
    def go(self):
        self.e = 1  # here

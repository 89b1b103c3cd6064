# expect: holds distinct=12 transitions=24 depth=6
"""match on an enumeration, alternatives, a wildcard, numbers."""

from enum import Enum

from checker.language import Int, Model, action, var


class Light(Enum):
    red = "r"
    amber = "a"
    green = "g"


class MatchEnum(Model):
    light = var(Light, Light.red)
    n = var(Int(0, 3), 0)

    @action
    def change(self):
        match self.light:
            case Light.red:
                following = Light.green
            case Light.green:
                following = Light.amber
            case Light.amber:
                following = Light.red
        self.light = following

    @action
    def count(self):
        match self.n:
            case 0 | 1:
                self.n += 1
            case 2 if self.light == Light.red:
                self.n = 3
            case x:
                self.n = x - 2

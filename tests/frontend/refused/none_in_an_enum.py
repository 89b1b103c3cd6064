# refused: None may be looked for in Color

from enum import Enum

from checker.language import Model, Optional, action, var


class Color(Enum):
    red = 0
    green = 1


class Refusing(Model):
    """Python before 3.12 raises TypeError for what is no member; later versions do not."""

    color = var(Optional[Color])
    out = var(bool, False)

    @action
    def step(self):
        self.out = self.color in Color  # here

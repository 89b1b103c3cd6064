# refused: the type of something here is never known

from checker.language import Int, Model, action, var


class Refusing(Model):
    """The list is empty, so its item has no type."""

    out = var(Int(0, 9), 0)

    @action
    def step(self):
        t = []
        t[0] += 1  # here
        self.out = len(t)

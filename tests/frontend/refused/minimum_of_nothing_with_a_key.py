# refused: the type of something here is never known
from checker.language import Int, Model, action, var


class Refusing(Model):
    """A local is given a value of which nothing is known."""

    n = var(Int(0, 3), 0)

    @action
    def go(self):
        x = min([], key=lambda e: e)  # here
        self.n = x

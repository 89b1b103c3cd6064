# refused: a collection that has no type: it may hold itself

from checker.language import Int, Model, action, var


class Refusing(Model):
    """A name for a list is given a list of that list: it has one type, which would be in itself."""

    out = var(Int(0, 9), 0)

    @action
    def step(self):
        x = []
        x = [x for _ in range(2)]  # here
        self.out = len(x)

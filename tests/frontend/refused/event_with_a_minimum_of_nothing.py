# refused: the type of something here is never known
from checker.language import Int, Model, action, var


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        self.emit.seen(min(frozenset(), key=lambda e: e))  # here

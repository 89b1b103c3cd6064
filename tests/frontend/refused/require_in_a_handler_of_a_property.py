# refused: require(...) in a property

from checker.language import Int, Invariant, Model, action, require, var


class Watching(Invariant):
    seen = var(Int(0, 3), 0)

    def on_went(self, n):
        require(n < 2)  # here
        self.seen = n

    def holds(self) -> bool:
        return self.seen < 4


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        require(self.n < 3)
        self.n += 1
        self.emit.went(self.n)

    properties = [Watching]

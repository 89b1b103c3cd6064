# refused: require(...) in a property

from checker.language import Int, Invariant, Model, action, initial, require, var


class Watching(Invariant):
    seen = var(Int(0, 3), 0)

    @initial
    def begin(self):
        self.seen = self.n
        require(self.n == 0)  # here

    def holds(self) -> bool:
        return self.seen < 4


class Refusing(Model):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        require(self.n < 3)
        self.n += 1

    properties = [Watching]

# expect: holds distinct=6 transitions=5 depth=6

from checker.language import Int, Invariant, Model, action, require, var


class P(Invariant):
    """Watches numbers beyond its annotation."""
    seen = var(Int(0, 3), 0)

    def on_note(self, a: Int(0, 3)):
        self.seen = min(a, 3)

    def holds(self) -> bool:
        return self.seen < 4


class M(Model):
    """An annotation of a handler checks no bounds."""
    n = var(Int(0, 9), 0)
    properties = [P]

    @action
    def step(self):
        require(self.n < 5)
        self.n += 1
        self.emit.note(self.n)

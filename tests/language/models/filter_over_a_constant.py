# expect: invariant bounded distinct=8 transitions=7 depth=8

from checker.language import Int, Model, action, const, invariant, require, var


class M(Model):
    """x may not pass the sum of the large weights, which is 5."""
    weights = const((1, 5, 2), "weights")
    x = var(Int(0, 20), 0)

    @action
    def step(self):
        require(self.x < 7)
        self.x += 1

    @invariant
    def bounded(self) -> bool:
        return self.x <= sum(w for w in self.weights if w > 4)

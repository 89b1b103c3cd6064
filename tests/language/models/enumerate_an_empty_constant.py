# expect: holds distinct=2 transitions=1 depth=2

from checker.language import Int, Model, action, const, invariant, require, var


class M(Model):
    """A loop over enumerate, zip or reversed of an empty constant."""
    workload = const((), "workload")
    n = var(Int(0, 9), 0)

    @action
    def step(self):
        require(self.n == 0)
        for _k, w in enumerate(self.workload):
            self.n = w
        self.n = 1

    @invariant
    def fine(self) -> bool:
        return self.n < 4

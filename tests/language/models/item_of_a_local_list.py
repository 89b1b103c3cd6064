# expect: error 15 distinct=1 transitions=1 depth=1

from checker.language import Int, Model, Seq, action, require, var


class M(Model):
    """Assigning an item of a local copy."""
    q = var(Seq[Int(0, 9), 4])
    r = var(Int(0, 20), 0)

    @action
    def step(self):
        require(self.r == 0)
        x = list(self.q)
        x[0] = 9
        self.r = x[0]

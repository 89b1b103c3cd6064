# expect: holds distinct=4 transitions=3 depth=4
"""A branch on a constant that is not taken is not even looked at."""

from checker.language import Int, Model, action, const, require, var


class ConstantsFold(Model):
    variant = const("plain", "which", ("plain", "fancy"))
    sizes = const((2, 1), "how many")
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        require(self.n < sum(self.sizes))
        if self.variant == "fancy":
            self.missing[self.n] = nothing  # noqa: F821
        else:
            self.n += 1 if self.variant in ("plain", "simple") else 2
        for k, size in enumerate(self.sizes):
            assert self.sizes[k] == size

# expect: holds distinct=14 transitions=23 depth=5
"""An item of a display counts once for each item of the generators behind it, and not at all where these have none."""

from checker.language import Int, Model, action, require, var


class SeveralGeneratorsOverADisplay(Model):
    n = var(Int(0, 3), 0)
    total = var(Int(0, 9), 0)
    least = var(Int(0, 9), 0)

    @action
    def up(self):
        require(self.n < 3)
        self.n += 1

    @action
    def measure(self):
        self.total = sum(x for x in (1, 2) for y in range(self.n))
        self.least = min((x for x in (4, 2) for y in range(self.n) if x > y + 2), default=9)

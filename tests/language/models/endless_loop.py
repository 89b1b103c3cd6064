# expect: error 16 distinct=4 transitions=4 depth=4
"""A loop with more rounds than a step may make is a model error; loops after each other and loops in loops are counted apart."""

from checker.language import Int, Model, action, require, var


class Rounds(Model):
    """`up` asks for n times 4,000 rounds: the fourth step would be too many.  Two loops after each other, and loops in loops, are counted apart."""

    n = var(Int(0, 4), 0)

    @action
    def up(self):
        require(self.n < 4)
        k = 0
        while k < self.n * 4000:
            k += 1
        for _ in range(3):
            k = 0
            while k < 9000: k += 1  # noqa: E701
        k = 0
        while k < 3:
            j = 0
            while j < 4000:
                j += 1
            k += 1
        self.n += 1

# expect: holds distinct=3 transitions=9 depth=2
"""while with break and continue."""

from checker.language import Int, Model, action, var


class WhileLoop(Model):
    n = var(Int(0, 12), 0)

    @action
    def run(self, start: Int(1, 3)):
        i = start
        total = 0
        while True:
            i += 1
            if i % 3 == 0:
                continue
            if i > 7:
                break
            total += i
        self.n = total % 13
        while self.n > 9:
            self.n -= 3

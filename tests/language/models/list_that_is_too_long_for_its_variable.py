# expect: error 14 distinct=9 transitions=15 depth=5

from checker.language import Int, Model, Seq, action, require, var


class TooLong(Model):
    """A list is kept in a variable for shorter lists, which it fits only when an item has been taken away."""

    long = var(Seq[Int(0, 1), 3], [0, 1, 1])
    short = var(Seq[Int(0, 1), 2])

    @action
    def keep(self):
        self.short = self.long

    @action
    def take_away(self):
        require(len(self.long) > 0)
        self.long.pop()

# expect: error 19, error 23 distinct=4 transitions=10 depth=4
"""An index beyond a sequence is a model error, also where nothing depends on the item."""

from checker.language import Int, Model, Seq, action, require, var


class IndexOutOfBounds(Model):
    q = var(Seq[Int(0, 1), 2])
    rows = var(Seq[Seq[Int(0, 1), 2], 2])
    x = var(Int(0, 1), 0)

    @action
    def push(self):
        require(len(self.q) < 2)
        self.q.append(1)

    @action
    def look(self):
        self.x = self.q[1]

    @action
    def measure(self):
        if len(self.rows[1]) < 9:
            self.x = 1

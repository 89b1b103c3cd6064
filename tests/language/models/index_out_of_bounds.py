# expect: error 18 distinct=4 transitions=6 depth=4
"""An index beyond a sequence is a model error."""

from checker.language import Int, Model, Seq, action, require, var


class IndexOutOfBounds(Model):
    q = var(Seq[Int(0, 1), 2])
    x = var(Int(0, 1), 0)

    @action
    def push(self):
        require(len(self.q) < 2)
        self.q.append(1)

    @action
    def look(self):
        self.x = self.q[1]

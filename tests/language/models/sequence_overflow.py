# expect: error 12 distinct=3 transitions=3 depth=3
"""A sequence longer than its type is a model error."""

from checker.language import Bool, Model, Seq, action, var


class SequenceOverflow(Model):
    q = var(Seq[Bool, 2])

    @action
    def push(self):
        self.q.append(len(self.q) > 0)

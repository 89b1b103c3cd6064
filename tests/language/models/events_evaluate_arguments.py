# expect: error 12 distinct=1 transitions=1 depth=1
"""The arguments of an event are computed even if nobody watches it."""

from checker.language import Bool, Model, Seq, action, var


class EventsEvaluateArguments(Model):
    q = var(Seq[Bool, 1])

    @action
    def tell(self):
        self.emit.look(self.q[0])

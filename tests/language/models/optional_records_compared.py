# expect: error 17, error 21, error 26, error 31, error 36 distinct=2 transitions=10 depth=1
"""A record has no order beside None: the comparison and `max` are errors, though a record is a tuple in Python."""

from checker.language import Bool, Ids, Int, Model, Optional, Record, action, anything, var


class OptionalRecordsCompared(Model):
    W = Ids("w", 2)
    Stamp = Record(time=Int(0, 1), by=W)
    seen = var(Optional[Stamp])
    best = var(Optional[Stamp])
    found = var(Bool, anything)

    @action
    def compare(self):
        if self.found:
            self.found = self.Stamp(1, self.W[0]) < self.seen

    @action
    def greatest(self):
        self.best = max(self.seen, self.Stamp(1, self.W[0]))

    @action
    def at_most(self):
        if self.found:
            self.found = self.Stamp(1, self.W[0]) <= self.seen

    @action
    def at_least(self):
        if self.found:
            self.found = self.seen <= self.Stamp(1, self.W[0])

    @action
    def more(self):
        if self.found:
            self.found = self.Stamp(1, self.W[0]) > self.seen

# expect: holds distinct=7 transitions=24 depth=2
"""Fields and comparisons of an Optional that holds a record."""

from checker.language import Ids, Int, Model, Optional, Record, action, require, var


class OptionalRecords(Model):
    P = Ids("p", 2)
    Stamp = Record(time=Int(0, 2), by=P)
    best = var(Optional[Stamp])

    @action
    def offer(self, p: P, t: Int(0, 2)):
        new = self.Stamp(t, p)
        require(self.best is None or self.best < new)
        self.best = new if t > 0 or self.best is None else None

    @action
    def drop(self):
        require(self.best is not None and self.best.time == 2 and self.best.by != self.P[0])
        self.best = None

    @action
    def compare(self, p: P):
        require(self.best == (1, p) and self.best in [self.Stamp(1, p), self.Stamp(2, p)])
        self.best = self.Stamp(by=p, time=self.best.time + 1)

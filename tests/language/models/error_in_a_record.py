# expect: error 14 distinct=4 transitions=4 depth=4
"""A record field out of range is a model error where the record is made."""

from checker.language import Bool, Int, Model, Optional, Record, action, var


class ErrorInARecord(Model):
    Stamp = Record(time=Int(0, 2), late=Bool)
    s = var(Optional[Stamp])
    n = var(Int(0, 3), 0)

    @action
    def make(self):
        s = self.Stamp(self.n, self.n > 1)
        self.s = s
        self.n += 1

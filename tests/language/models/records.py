# expect: holds distinct=52 transitions=87 depth=5
"""Records compare like tuples, and a tuple of the same length is a record."""

from checker.language import Ids, Int, Map, Model, Optional, Record, action, invariant, require, var


class Records(Model):
    P = Ids("p", 2)
    Stamp = Record(time=Int(0, 2), by=P)
    stamp = var(Map[P, Optional[Stamp]])
    best = var(Optional[Stamp])

    @action
    def mark(self, p: P, t: Int(0, 2)):
        require(self.stamp[p] is None)
        self.stamp[p] = self.Stamp(t, p) if t > 0 else (0, p)

    @action
    def choose_least(self):
        require(all(self.stamp[p] is not None for p in self.P))
        least = min(self.stamp[p] for p in self.P)
        time, by = least
        self.best = self.Stamp(time=time, by=by)
        self.stamp[by] = None

    @invariant
    def not_beaten(self) -> bool:
        both = all(self.stamp[p] is not None for p in self.P)
        return not both or max(self.stamp[p] for p in self.P) >= (0, self.P[1])

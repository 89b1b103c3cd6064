# expect: holds distinct=570 transitions=1110 depth=13
"""A union holds one of several records: isinstance, match, fields."""

from checker.language import Ids, Int, Model, Record, Seq, Union, action, invariant, require, var


class Unions(Model):
    P = Ids("p", 2)
    Wire = Union(Data=Record(n=Int(0, 2), by=P), Ack=Record(by=P), Stop=Record())
    last = var(Seq[Wire, 2])
    seen = var(Int(0, 9), 0)

    @action
    def send(self, p: P, n: Int(0, 2)):
        require(len(self.last) < 2)
        self.last.append(self.Wire.Data(n, p) if n > 0 else self.Wire.Ack(p))

    @action
    def stop(self):
        require(len(self.last) == 1)
        self.last.append(self.Wire.Stop())

    @action
    def handle(self):
        require(self.last)
        w = self.last.pop(0)
        match w:
            case self.Wire.Data(n, by) if by == self.P[0]:
                self.seen = min(9, self.seen + n)
            case self.Wire.Data(n=n):
                self.seen = max(0, self.seen - n)
            case self.Wire.Ack():
                self.seen = 0
            case _:
                assert isinstance(w, self.Wire.Stop)

    @invariant
    def by_somebody(self) -> bool:
        return all(w.by in self.P for w in self.last if isinstance(w, (self.Wire.Data, self.Wire.Ack)))

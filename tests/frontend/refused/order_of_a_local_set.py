# refused: is a set made here, which Python walks in no particular order

from checker.language import Ids, Int, Model, Record, Seq, action, var


class Refusing(Model):
    P = Ids("p", 3)
    Stamp = Record(time=Int(0, 3), by=P)
    queue = var(Seq[Stamp, 3])

    @action
    def go(self, p: P):
        stamps = {self.Stamp(2, p), self.Stamp(1, p)}
        for s in stamps:  # here
            self.queue.append(s)

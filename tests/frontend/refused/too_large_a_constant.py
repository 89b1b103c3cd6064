# refused: the number self.limit does not fit into 63 bits

from checker.language import Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, Union, action, const, var


class Refusing(Model):
    limit = const(2**63, "compared with small numbers")
    P = Ids("p", 3)
    Q = Ids("q", 2)
    Stamp = Record(time=Int(0, 3), by=P)
    Wire = Union(Data=Record(n=Int(0, 3)), Ack=Record(n=Bool))
    big = var(Int(0, 2**40), 0)
    n = var(Int(0, 3), 0)
    held = var(Map[P, Set[Int(0, 3)]])
    queue = var(Seq[Stamp, 3])
    who = var(Optional[P])

    @action
    def go(self, p: P):
        if self.big < self.limit:  # here
            self.n = 1

# refused: list of Int(0, 1) does not fit Set[Int(0, 3)]

from checker.language import Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, Union, action, var


class Refusing(Model):
    P = Ids("p", 3)
    Q = Ids("q", 2)
    Stamp = Record(time=Int(0, 3), by=P)
    Wire = Union(Data=Record(n=Int(0, 3)), Ack=Record(n=Bool))
    n = var(Int(0, 3), 0)
    held = var(Map[P, Set[Int(0, 3)]])
    queue = var(Seq[Stamp, 3])
    who = var(Optional[P])

    @action
    def go(self, p: P):
        self.held[p] = [0, 1]  # here

# refused: the constant size is assigned

from checker.language import Bool, Ids, Int, Map, Model, Optional, Record, Seq, Set, Union, action, const, var


class Refusing(Model):
    P = Ids("p", 3)
    Q = Ids("q", 2)
    Stamp = Record(time=Int(0, 3), by=P)
    Wire = Union(Data=Record(n=Int(0, 3)), Ack=Record(n=Bool))
    size = const(2)
    n = var(Int(0, 3), 0)
    held = var(Map[P, Set[Int(0, 3)]])
    queue = var(Seq[Stamp, 3])
    who = var(Optional[P])

    @action
    def go(self, p: P):
        self.size = 3  # here

# refused: the event has 2 arguments, Watching.on_ping(p) takes 1

from checker.language import Bool, Ids, Int, Invariant, Map, Model, Optional, Record, Seq, Set, Union, action, var


class Watching(Invariant):
    seen = var(Int(0, 3), 0)

    def on_ping(self, p):
        self.seen = 1

    def holds(self) -> bool:
        return self.seen < 4


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
        self.emit.ping(p, 1)  # here

    properties = [Watching]

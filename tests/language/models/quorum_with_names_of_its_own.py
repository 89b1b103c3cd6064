# expect: holds distinct=9 transitions=12 depth=5
"""Parameters of a quorum may be called whatever they like: no name is one of the language's own locals."""

from checker.language import Distributed, Int, Network, Process, Record, Seq, Set, Union, action, const, on, require, var


class M(Distributed):
    """Who sends is one of many words for one thing."""

    processes = const(2)
    Bit = Int(0, 1)
    Wire = Union(Told=Record(there=Bit, spare=Bit, message=Bit, wanted=Bit, fitting=Bit, told=Bit))
    net = var(Network[Process, Wire])
    sent = var(Set[Process])
    got = var(Seq[Bit, 2])

    @action
    def tell(self, p: Process):
        require(p not in self.sent)
        self.sent.add(p)
        self.net.send(p, self.Process[0], self.Wire.Told(p.index, 0, 1, p.index, 1, 0))

    @on(net, Wire.Told, at_least=1, same="spare")
    def take(self, p, members, there, spare, message, wanted, fitting, told):
        for q in members:
            assert there[q] == wanted[q] == q.index
            assert message[q] == fitting[q] == 1 and told[q] == spare == 0
        self.got.append(len(members))

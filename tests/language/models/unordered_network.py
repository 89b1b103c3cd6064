# expect: holds distinct=34 transitions=58 depth=7
"""An unordered network holds copies; a handler takes any message."""

from checker.language import Distributed, Int, Map, Network, Process, Seq, action, const, on, require, var


class UnorderedNetwork(Distributed):
    net = var(Network[Process, Int(0, 1)])
    sent = var(Map[Process, Int(0, 1)], 0)
    got = var(Map[Process, Seq[Int(0, 1), 4]])

    @action
    def start(self, p: Process):
        require(self.sent[p] == 0 and len(self.net) < 4)
        self.sent[p] = 1
        self.net.multicast(p, p.index % 2)

    @on(net)
    def receive(self, p, q, x):
        self.got[p].append(x)
        if x in self.net.between(q, p):
            assert len(self.net.between(q, p)) > 0

    processes = const(2, "processes")

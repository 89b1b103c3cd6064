# expect: holds distinct=15 transitions=20 depth=4
"""An edit of a handler or action may call the original."""

from checker.language import Distributed, Int, Map, Network, Process, action, const, on, require, var


class Original(Distributed):
    processes = const(2, "processes")
    net = var(Network[Process, Int(0, 2)])
    got = var(Map[Process, Int(0, 3)], 0)

    @action
    def ask(self, p: Process, k: Int(0, 2)):
        require(len(self.net) < 1 and self.got[p] == 0)
        self.net.multicast(p, k)

    @on(net)
    def receive(self, p, q, k):
        self.got[p] = min(3, self.got[p] + k)


class EditedHandler(Original):
    """EDIT: nobody asks with 0, and receiving counts one more."""

    @action
    def ask(self, p, k):
        require(k > 0)
        super().ask(p, k)

    @on(Original.net)
    def receive(self, p, q, k):
        super().receive(p, q, k)
        self.got[p] = min(3, self.got[p] + 1)

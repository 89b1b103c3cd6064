# expect: holds distinct=30 transitions=59 depth=7
"""Loss and duplication on an unordered network, within their budgets."""

from checker.language import Distributed, Int, Network, Process, action, const, on, quiescent, require, var


class LoseAndDuplicate(Distributed):
    processes = const(2, "processes")
    losses = const(1, "losses")
    duplicates = const(1, "duplicates")
    net = var(Network[Process, Int(0, 1)])
    sent = var(Int(0, 2), 0)
    got = var(Int(0, 3), 0)

    @action
    def send(self, p: Process):
        require(p == self.Process[0] and self.sent < 2)
        self.net.send(p, self.Process[1], self.sent)
        self.sent += 1

    @on(net)
    def receive(self, p, q, x):
        self.got += 1

    @quiescent
    def everything_came(self) -> bool:
        return self.got == self.sent + self.duplicated - self.lost

# expect: holds distinct=2 transitions=1 depth=2
"""A rule may say that nobody is waited for, as set(): then the handler is never enabled."""

from checker.language import Bool, Distributed, Network, Process, const, on, require, rule, action, var


class M(Distributed):
    """One message, which nobody takes."""

    processes = const(1)
    net = var(Network[Process, Bool])
    sent = var(Bool)

    @action
    def send(self, p: Process):
        require(not self.sent)
        self.sent = True
        self.net.send(p, p, True)

    @rule
    def nobody(self):
        return set()

    @on(net, each=nobody)
    def take(self, p, senders, b):
        assert not self.sent

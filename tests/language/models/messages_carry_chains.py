# expect: holds distinct=356 transitions=950 depth=8
"""Messages carry the longest chain of their sender; a message to oneself adds nothing; equal bodies with different chains are two messages; long chains count alike."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    Invariant,
    Network,
    Process,
    action,
    chain,
    const,
    on,
    require,
    rule,
    var,
)


class Chains(Invariant):
    """Nobody has heard of a longer chain than the messages sent, and sends are counted before they are made."""

    hops = chain(2)
    sends = var(Int(0, 9), 0)

    def on_begin(self, p):
        self.hops[p] = 1

    def on_send(self, p, q):
        if p != q:
            self.sends += 1

    def holds(self) -> bool:
        return self.begun and all(self.hops[p] <= self.sends + 1 for p in self.Process) or all(
            self.hops[p] == 0 for p in self.Process
        )


class MessagesCarryChains(Distributed):
    processes = const(2, "processes")
    losses = const(1, "losses")
    net = var(Network[Process, Int(0, 1)])
    begun = var(Bool, False)
    rounds = var(Int(0, 2), 0)

    @action
    def begin(self, p: Process):
        require(not self.begun)
        self.begun = True
        self.emit.begin(p)
        self.net.multicast(p, 0)

    @action
    def announce(self, p: Process):
        require(not self.begun and p == self.Process[0] and self.idle())
        self.net.send(p, self.Process[0], 1)

    @rule
    def idle(self):
        return all(1 not in self.net.between(p, q) and self.net.between(p, q).count(0) == 0 for p in self.Process for q in self.Process)

    @on(net)
    def receive(self, p, q, x):
        if x == 0 and self.rounds < 2:
            self.rounds += 1
            for r in self.Process:
                if len(self.net.between(p, r)) < 1:
                    self.net.send(p, r, 0)

    properties = [Chains]

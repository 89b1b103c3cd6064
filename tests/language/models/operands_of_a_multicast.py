# expect: error 20, error 25, error 36 distinct=12 transitions=50 depth=3
"""What does not fit is found out when all operands are evaluated: as often as they choose; to=None is everybody."""

from checker.language import Distributed, Int, Network, Process, action, choose, const, invariant, require, var


class OperandsOfAMulticast(Distributed):
    processes = const(2, "processes")
    net = var(Network[Process, Int(0, 3)])
    n = var(Int(0, 3), 0)

    @action
    def start(self, p: Process, k: Int(1, 3)):
        require(self.n == 0)
        self.n = k

    @action
    def too_large(self, p: Process):
        require(self.n == 1)
        self.net.multicast(p, 9, to=choose([[p], [q for q in self.Process if q != p]]))

    @action
    def too_large_for_some(self, p: Process):
        require(self.n == 1)
        self.net.multicast(p, choose([2, 9]), to=[choose(self.Process)])
        self.n = 2

    @action
    def too_large_for_nobody(self, p: Process):
        require(self.n == 1)
        self.net.multicast(p, 9, to=choose([[p], [p]][:0]))

    @action
    def target_before_body(self, p: Process):
        require(self.n == 2)
        self.net.multicast(p, to=[choose(self.Process)], body=6 // (self.n - 2))

    @action
    def some_or_everybody(self, p: Process):
        require(self.n == 3 and len(self.net) == 0)
        alone = choose([True, False])
        self.net.multicast(p, 1, to=[p] if alone else None)
        self.n = 2 if alone else 3

    @invariant
    def either_one_or_both(self) -> bool:
        return len(self.net) < 3

# expect: holds distinct=114 transitions=312 depth=10
"""A crash resets the process's own variables, keeps what is kept, and drops messages to it."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    Map,
    Network,
    Process,
    action,
    const,
    invariant,
    on,
    require,
    var,
)


class CrashBetweenSteps(Distributed):
    processes = const(2, "processes")
    crashes = const(1, "crashes")
    net = var(Network[Process, Bool])
    mine = var(Map[Process, Int(0, 2)], 0)
    history = var(Map[Process, Int(0, 2)], 0, kept=True)

    @action
    def work(self, p: Process):
        require(self.mine[p] < 2 and self.history[p] < 2)
        self.mine[p] += 1
        self.history[p] += 1

    @action
    def tell(self, p: Process, q: Process):
        require(p != q and self.mine[p] == 1 and len(self.net) == 0)
        self.net.send(p, q, True)

    @on(net)
    def hear(self, p, q, yes):
        self.mine[p] = 0

    @invariant
    def reset(self) -> bool:
        return all(self.mine[p] == 0 for p in self.crashed) and all(
            self.live(p) or self.history[p] <= 2 for p in self.Process
        )

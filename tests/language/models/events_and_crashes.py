# expect: holds distinct=133 transitions=622 depth=7
"""Observers are told of crashes, also of those inside a step."""

from checker.language import (
    Distributed,
    Int,
    Invariant,
    Map,
    Network,
    Process,
    Set,
    action,
    const,
    of,
    on,
    require,
    var,
)


class Alive(Invariant):
    down = var(Set[of("Process")])
    heard = var(Map[of("Process"), Int(0, 3)], 0)

    def on_crash(self, p):
        self.down.add(p)
        self.heard[p] = 0

    def on_deliver(self, p, k):
        self.heard[p] = min(3, self.heard[p] + k)

    def holds(self) -> bool:
        return self.down == self.crashed and all(self.heard[p] == self.got[p] for p in self.Process)


class EventsAndCrashes(Distributed):
    processes = const(2, "processes")
    crashes = const(1, "crashes")
    net = var(Network[Process, Int(1, 2)])
    asked = var(Set[Process])
    got = var(Map[Process, Int(0, 3)], 0)

    @action
    def ask(self, p: Process, k: Int(1, 2)):
        require(p not in self.asked)
        self.asked.add(p)
        for q in self.Process:
            self.net.send(p, q, k)

    @on(net)
    def hear(self, p, q, k):
        self.emit.deliver(p, k)
        self.got[p] = min(3, self.got[p] + k)

    properties = [Alive]

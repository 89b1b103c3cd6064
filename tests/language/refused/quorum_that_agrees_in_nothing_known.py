# refused: handler down: same='q' is none of its parameters for the message

from __future__ import annotations

from checker.language import Bool, Distributed, Network, on, Process, rule, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @rule
    def members(self):
        return set(self.Process)

    @on(net, each=members, same="q")
    def down(self, p, qs, m):  # here
        self.ok = False

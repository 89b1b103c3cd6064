# refused: handler down: at_least='members' is no number of processes

from __future__ import annotations

from checker.language import Bool, Distributed, Network, Process, const, on, rule, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)
    most = const("members")

    @rule
    def members(self):
        return 1

    @on(net, at_least=most)
    def down(self, p, qs, m):  # here
        self.ok = False

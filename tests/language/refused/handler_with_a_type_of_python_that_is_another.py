# refused: handler down: parameter m is Bool, not int

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Network, Process, Set, on, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @on(net)
    def down(self, p, q, m: int):  # here
        self.ok = False

# refused: handler down: parameter m is Map[Process, Optional[Bool]], not Bool

from __future__ import annotations

from checker.language import Bool, Distributed, Int, Network, Process, Set, on, var


class A(Distributed):
    net = var(Network[Process, Bool])
    ok = var(Bool)

    @on(net, each=Process)
    def down(self, p, qs, m: Bool):  # here
        self.ok = False

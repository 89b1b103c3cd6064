# refused: a derived value reads proceses, which is no constant of the model

from __future__ import annotations

from checker.language import action, derived, Distributed, Int, Process, require, var


class A(Distributed):
    quorum = derived(lambda c: c.proceses // 2)  # here
    x = var(Int(0, quorum), 0)
    @action
    def down(self, p: Process):
        require(self.x < self.quorum)
        self.x += 1

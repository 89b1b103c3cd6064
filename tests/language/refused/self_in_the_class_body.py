# refused: name 'self' is not defined

from __future__ import annotations

from checker.language import action, const, Distributed, Int, Process, var


class A(Distributed):
    n = const(3, "how many")
    x = var(Int(0, self.n), 0)  # here
    @action
    def down(self, p: Process):
        self.x = 0

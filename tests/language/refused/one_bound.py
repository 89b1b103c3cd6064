# refused: Int(3) has one bound

from __future__ import annotations

from checker.language import action, Distributed, Int, Process, var


class A(Distributed):
    x = var(Int(3), 3)  # here
    @action
    def down(self, p: Process):
        self.x = 3

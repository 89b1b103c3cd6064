# refused: A.done: an annotation declares no variable

from __future__ import annotations

from checker.language import action, Bool, Distributed, Int, Process, var


class A(Distributed):
    done: Bool  # here
    n: Int(0, 3) = 0
    ok = var(Bool)
    @action
    def down(self, p: Process):
        self.ok = False

# refused: A.fine: a staticmethod is no method of a model

from __future__ import annotations

from checker.language import action, Bool, Distributed, Process, require, var


class A(Distributed):
    ok = var(Bool)
    @staticmethod
    def fine(x): return x  # here
    @action
    def down(self, p: Process):
        require(self.fine(self.ok))
        self.ok = False

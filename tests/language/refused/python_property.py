# refused: A.fine: a @property is no method of a model

from __future__ import annotations

from checker.language import action, Bool, Distributed, Process, require, var


class A(Distributed):
    ok = var(Bool)
    @property
    def fine(self): return self.ok  # here
    @action
    def down(self, p: Process):
        require(self.fine)
        self.ok = False

# refused: A.outcome names 'y', which is no variable of the model

from __future__ import annotations

from checker.language import action, Bool, Distributed, Process, var


class A(Distributed):
    x = var(Bool)
    outcome = ("y",)  # here
    @action
    def down(self, p: Process):
        self.x = True

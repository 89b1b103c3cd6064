# refused: A.n: dict is a Python type, not one of a model

from __future__ import annotations

from checker.language import action, Bool, Distributed, Process, var


class A(Distributed):
    n = var(dict[Process, Bool])  # here
    @action
    def up(self, p: Process): self.n[p] = True

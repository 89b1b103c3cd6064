# refused: the initial value of A.n does not fit its type Int(0, 3): 7 is out of range

from __future__ import annotations

from checker.language import action, Int, Model, var


class A(Model):
    n = var(Int(0, 3), 7)  # here
    @action
    def up(self): self.n = 1

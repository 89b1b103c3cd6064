# refused: variable A.n of type Int(0, 3) needs an initial value

from __future__ import annotations

from checker.language import action, Int, Model, var


class A(Model):
    n = var(Int(0, 3))  # here
    @action
    def up(self): self.n = 1

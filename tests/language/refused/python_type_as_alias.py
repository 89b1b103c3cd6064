# refused: A.Value: int is a Python type, not one of a model

from __future__ import annotations

from checker.language import action, Model, var


class A(Model):
    Value = int  # here
    n = var(Value, 0)
    @action
    def up(self): self.n = 1

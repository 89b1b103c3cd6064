# refused: complete gives size, which is no constant of M

from __future__ import annotations

from checker.language import action, Bool, const, Model, var


class M(Model):
    n = const(1, "how many")
    x = var(Bool)
    @classmethod
    def complete(cls, given): return {"size": 1}  # here
    @action
    def go(self): self.x = True

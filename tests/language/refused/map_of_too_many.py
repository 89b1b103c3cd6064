# refused: M.x: the keys of a Map must be of at most 65,536 values

from __future__ import annotations

from checker.language import action, Bool, Int, Map, Model, var


class M(Model):
    x = var(Map[Int(0, 10**9), Bool], False)  # here
    @action
    def go(self): self.x = self.x

# refused: M.x starts as anything, but its type Map[Int(0, 9), Int(0, 9)] has more than 2 to the 28 values

from __future__ import annotations

from checker.language import action, anything, Int, Map, Model, var


class M(Model):
    x = var(Map[Int(0, 9), Int(0, 9)], anything)  # here
    @action
    def go(self): self.x = self.x

# refused: {1: 2} is not in Map[P, Int(0, 3)]

from __future__ import annotations

from checker.language import action, Ids, Int, Map, Model, var


class A(Model):
    P = Ids("p", 2)
    n = var(Map[P, Int(0, 3)], {1: 2})  # here
    @action
    def up(self, p: P): self.n[p] = 1

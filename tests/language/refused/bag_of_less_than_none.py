# refused: M.x: the capacity of a Bag is -1

from __future__ import annotations

from checker.language import action, Bag, Bool, Model, var


class M(Model):
    x = var(Bag[Bool, -1])  # here
    @action
    def go(self): self.x = self.x

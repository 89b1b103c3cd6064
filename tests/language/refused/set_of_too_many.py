# refused: M.x: the members of a Set must be of at most 65,536 values

from __future__ import annotations

from checker.language import action, Int, Model, Set, var


class M(Model):
    x = var(Set[Int(0, 10**9)])  # here
    @action
    def go(self): self.x = self.x

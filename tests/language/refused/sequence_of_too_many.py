# refused: M.x: the capacity of a Seq is 1,000,000,000

from __future__ import annotations

from checker.language import action, Bool, Model, Seq, var


class M(Model):
    x = var(Seq[Bool, 10**9])  # here
    @action
    def go(self): self.x = self.x

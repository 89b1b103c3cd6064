# refused: M.x starts as anything, but its type Seq[Bool, 2] cannot be enumerated

from __future__ import annotations

from checker.language import action, anything, Bool, Model, Seq, var


class M(Model):
    x = var(Seq[Bool, 2], anything)  # here
    @action
    def go(self): self.x = self.x

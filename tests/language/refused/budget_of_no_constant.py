# refused: the budget 'cuts' is no constant of M

from __future__ import annotations

from checker.language import action, Bool, Model, var


class M(Model):
    cut = var(Bool, budget="cuts")  # here
    @action
    def go(self): self.cut = True

# refused: the variable cut exists only where cuts is not 0

from __future__ import annotations

from checker.language import Bool, Model, action, const, var


class Refusing(Model):
    cuts = const(0, "how many cuts")
    up = var(Bool)
    cut = var(Bool, budget="cuts")

    @action
    def go(self):
        self.up = True
        self.cut = True  # here

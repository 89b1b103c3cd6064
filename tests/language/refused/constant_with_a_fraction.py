# refused: const(2.5): a constant is a bool, an integer, a string or a tuple of these

from __future__ import annotations

from checker.language import action, Bool, const, Model, var


class A(Model):
    rate = const(2.5)  # here
    n = var(Bool)
    @action
    def up(self): self.n = True

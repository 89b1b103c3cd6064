# refused: const(a function): a constant is a bool, an integer, a string or a tuple of these

from __future__ import annotations

from checker.language import action, Bool, const, Model, var


class A(Model):
    rate = const(lambda: 3)  # here
    n = var(Bool)
    @action
    def up(self): self.n = True

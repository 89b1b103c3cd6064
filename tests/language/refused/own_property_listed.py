# refused: A.properties holds 'durable', which is not a property class

from __future__ import annotations

from checker.language import action, Bool, invariant, Model, var


class A(Model):
    n = var(Bool)
    properties = ['durable']  # here
    @invariant
    def durable(self): return not self.n
    @action
    def up(self): self.n = True

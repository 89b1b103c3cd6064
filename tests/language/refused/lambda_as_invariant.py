# refused: A.ok: a lambda is no method of a model

from __future__ import annotations

from checker.language import action, Bool, Distributed, invariant, var


class A(Distributed):
    n = var(Bool)
    ok = invariant(lambda self: not self.n)  # here
    @action
    def up(self): self.n = True

# refused: A.expect names the constraint smal, which A does not have

from __future__ import annotations

from checker.language import Int, Model, action, constraint, holds, invariant, var


class A(Model):
    n = var(Int(0, 9), 0)
    @invariant
    def ok(self): return self.n >= 0
    @constraint
    def small(self): return self.n < 3
    @action
    def up(self):
        self.n += 1
    expect = holds(within=["smal"])  # here

# refused: A.expect holds 'holds', which is no expectation

from __future__ import annotations

from checker.language import action, Bool, Distributed, holds, invariant, var


class A(Distributed):
    done = var(Bool)
    @invariant
    def ok(self): return not self.done
    @action
    def up(self):
        self.done = True
    expect = "holds"  # here

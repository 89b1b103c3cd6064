# refused: A.expect names the constant proceses, which A does not have

from __future__ import annotations

from checker.language import action, Bool, Distributed, invariant, var, violates


class A(Distributed):
    done = var(Bool)
    @invariant
    def ok(self): return not self.done
    @action
    def up(self):
        self.done = True
    expect = violates("ok", at={"proceses": 2})  # here

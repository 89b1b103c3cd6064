# refused: A.expects: an expectation under this name is not looked at

from __future__ import annotations

from checker.language import action, Bool, Distributed, invariant, var, violates


class A(Distributed):
    done = var(Bool)
    @invariant
    def ok(self): return not self.done
    @action
    def up(self):
        self.done = True
    expects = violates("ok")  # here

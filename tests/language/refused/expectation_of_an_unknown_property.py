# refused: A.expect names the property okk, which A does not have

from __future__ import annotations

from checker.language import action, Bool, invariant, Model, var, violates


class A(Model):
    done = var(Bool)
    @invariant
    def ok(self): return not self.done
    @action
    def up(self):
        self.done = True
    expect = violates("okk")  # here

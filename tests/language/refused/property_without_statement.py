# refused: Ok has no method holds, so it states nothing

from __future__ import annotations

from checker.language import action, Bool, Distributed, Invariant, Process, var


class Ok(Invariant):  # here
    def hold(self): return not self.x
class A(Distributed):
    x = var(Bool)
    properties = [Ok]
    @action
    def down(self, p: Process):
        self.x = True

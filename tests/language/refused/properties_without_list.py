# refused: A.properties is Ok, not a list

from __future__ import annotations

from checker.language import action, Bool, Distributed, holds, Invariant, Process, var


class Ok(Invariant):
    def holds(self): return not self.x
class A(Distributed):
    x = var(Bool)
    properties = Ok  # here
    @action
    def down(self, p: Process):
        self.x = True

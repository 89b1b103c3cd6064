# refused: M.lost: a variable of Distributed is overridden by something else

from __future__ import annotations

from checker.language import action, Bool, Distributed, rule, var


class M(Distributed):
    x = var(Bool)
    @action
    def f(self):
        self.x = self.lost()
    @rule
    def lost(self):  # here
        return True

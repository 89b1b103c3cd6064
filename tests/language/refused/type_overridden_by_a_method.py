# refused: M.Process: a type of Distributed is overridden by a method

from __future__ import annotations

from checker.language import action, Bool, Distributed, var


class M(Distributed):
    x = var(Bool)
    @action
    def Process(self):  # here
        self.x = True

# refused: M.crash: this is the name of a fault action of the language

from __future__ import annotations

from checker.language import action, Bool, Distributed, require, var


class M(Distributed):
    x = var(Bool)
    @action
    def crash(self):  # here
        require(not self.x)
        self.x = True

# refused: M.complete: this name is the language's

from __future__ import annotations

from checker.language import action, Bool, Distributed, var


class M(Distributed):
    x = var(Bool)
    @action
    def complete(self):  # here
        self.x = True

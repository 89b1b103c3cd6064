# refused: M.processes: a constant of Distributed is overridden by something else

from __future__ import annotations

from checker.language import action, Bool, Distributed, var


class M(Distributed):
    x = var(Bool)
    @action
    def processes(self):  # here
        self.x = True

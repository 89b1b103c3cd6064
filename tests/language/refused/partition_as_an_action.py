# refused: M.partition: this is the name of a fault action of the language

from __future__ import annotations

from checker.language import action, Bool, Distributed, var


class M(Distributed):
    x = var(Bool)
    @action
    def partition(self):  # here
        self.x = True

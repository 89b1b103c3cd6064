# refused: action down: parameter p has no type

from __future__ import annotations

from checker.language import action, Bool, Distributed, var


class A(Distributed):
    ok = var(Bool)
    @action
    def down(self, p):  # here
        self.ok = False

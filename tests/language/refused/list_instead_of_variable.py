# refused: A.log: a list in the class body is no variable

from __future__ import annotations

from checker.language import action, Bool, Model, var


class A(Model):
    log = []  # here
    n = var(Bool)
    @action
    def up(self): self.log.append(1)

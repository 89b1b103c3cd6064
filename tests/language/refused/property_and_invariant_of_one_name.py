# refused: M has two properties of one name: the class Off in properties and the method Off

from __future__ import annotations

from checker.language import action, Bool, invariant, Invariant, Model, var


class Off(Invariant):
    def holds(self) -> bool:
        return not self.x


class M(Model):
    x = var(Bool)
    properties = [Off]
    @action
    def go(self): self.x = True
    @invariant
    def Off(self) -> bool:  # here
        return True

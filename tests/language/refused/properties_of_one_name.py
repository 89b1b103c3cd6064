# refused: M has two properties of one name: two entries of properties called Off

from __future__ import annotations

from checker.language import action, Bool, Invariant, Model, var


class Off(Invariant):
    def holds(self) -> bool:
        return not self.x


First = Off


class Off(Invariant):  # noqa: F811
    def holds(self) -> bool:
        return self.x


class M(Model):
    x = var(Bool)
    @action
    def go(self): self.x = True
    properties = [First, Off]  # here

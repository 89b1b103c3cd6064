# refused: A.__init__: a model has no __init__

from __future__ import annotations

from checker.language import action, Bool, Model, var


class A(Model):
    done = var(Bool)
    def __init__(self): self.done = True  # here
    @action
    def up(self):
        self.done = True

# refused: action up: a parameter has a default value

from __future__ import annotations

from checker.language import action, Bool, Distributed, Process, var


class A(Distributed):
    done = var(Bool)
    @action
    def up(self, p: Process = None):  # here
        self.done = True

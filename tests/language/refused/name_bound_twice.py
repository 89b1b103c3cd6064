# refused: A.up is defined twice, first in line

from __future__ import annotations

from checker.language import action, Bool, Distributed, Process, var


class A(Distributed):
    done = var(Bool)
    @action
    def up(self, p: Process):
        self.done = True
    @action
    def up(self, p: Process):  # here
        self.done = False

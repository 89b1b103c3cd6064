# refused: A.x: 'Process' is a string, not a type

from __future__ import annotations

from checker.language import action, Distributed, Process, var


class A(Distributed):
    x = var("Process", None)  # here
    @action
    def down(self, p: Process):
        self.x = 3

# refused: Seq takes 2 arguments in brackets, not 1

from __future__ import annotations

from checker.language import action, Distributed, Process, Seq, var


class A(Distributed):
    x = var(Seq[Process])  # here
    @action
    def down(self, p: Process):
        self.x = 3

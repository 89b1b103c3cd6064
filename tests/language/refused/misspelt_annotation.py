# refused: the annotation 'Proces' cannot be read

from __future__ import annotations

from checker.language import action, Bool, Distributed, var


class A(Distributed):
    ok = var(Bool)
    @action
    def down(self, p: Proces):  # here
        self.ok = False

# refused: insert beyond an end of Seq or list

from __future__ import annotations

from checker.language import Int, Model, Seq, action, var


class Refusing(Model):
    q = var(Seq[Int(0, 3), 2])
    n = var(Int(0, 2), 0)

    @action
    def step(self):
        x = [1, 2, 3]
        x.insert(self.n, 3)  # here
        x = self.q if self.n > 0 else [self.n]

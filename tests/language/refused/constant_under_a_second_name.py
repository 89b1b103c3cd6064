# refused: A.most: this is losses under a second name

from __future__ import annotations

from checker.language import Bool, Distributed, action, require, var


class A(Distributed):
    ok = var(Bool)
    most = Distributed.losses  # here

    @action
    def go(self):
        require(self.most == 0)
        self.ok = True

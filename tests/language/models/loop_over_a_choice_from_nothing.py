# expect: holds distinct=1 transitions=0 depth=1
"""A loop over a display that holds a choice from nothing: the action is not enabled."""

from checker.language import Int, Model, action, choose, var


class LoopOverAChoiceFromNothing(Model):
    out = var(Int(0, 3), 0)

    @action
    def go(self):
        for n in (choose([]), 1):
            self.out = n

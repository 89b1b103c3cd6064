# expect: error 13 distinct=1 transitions=1 depth=1
"""A loop over a display that holds an item popped from an empty list: the action fails before its first round."""

from checker.language import Int, Model, action, var


class LoopOverWhatNothingHolds(Model):
    out = var(Int(0, 3), 0)

    @action
    def go(self):
        left = []
        for n in (left.pop(), 1):
            self.out = n

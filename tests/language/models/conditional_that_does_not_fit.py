# expect: error 15 distinct=3 transitions=3 depth=2
"""A member that is out of range of the Optional items is an error where it is assigned."""

from checker.language import Bool, Int, Model, Optional, Set, action, anything, var


class ConditionalThatDoesNotFit(Model):
    first = var(Bool, anything)
    narrow = var(Set[Int(0, 3)], {3})
    wide = var(Set[Int(0, 5)], {5})
    chosen = var(Set[Optional[Int(0, 3)]])

    @action
    def choose(self):
        self.chosen = self.narrow if self.first else self.wide

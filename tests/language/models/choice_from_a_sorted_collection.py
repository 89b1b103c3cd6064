# expect: holds distinct=73 transitions=153 depth=6
"""An action opens with a choice from what is sorted there: members of a set, items of a list in an order of keys."""

from checker.language import Int, Model, Seq, Set, action, choose, var


class ChoiceFromASortedCollection(Model):
    left = var(Set[Int(0, 3)], {0, 2, 3})
    queue = var(Seq[Int(0, 3), 2], [3, 1])
    last = var(Int(0, 3), 0)

    @action
    def leave(self):
        self.last = choose(sorted(self.left))
        self.left.remove(self.last)

    @action
    def overtake(self):
        self.last = choose(sorted(self.queue, key=lambda x: -x))
        self.queue.remove(self.last)

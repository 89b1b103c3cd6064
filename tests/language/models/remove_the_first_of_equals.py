# expect: holds distinct=3 transitions=2 depth=3

from checker.language import Int, Model, Seq, action, invariant, require, var


class RemoveFirst(Model):
    """Of equal items of a list the first is removed: the others keep their order."""

    queue = var(Seq[Int(0, 2), 3], [1, 0, 1])

    @action
    def take(self):
        require(1 in self.queue)
        self.queue.remove(1)

    @invariant
    def the_last_stays(self) -> bool:
        return len(self.queue) != 2 or self.queue[0] == 0 and self.queue[1] == 1

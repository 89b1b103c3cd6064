"""Two workers add one to a shared number; each reads it first and writes it later."""

from checker.language import Ids, Int, Map, Model, Optional, action, holds, quiescent, require, var, violates


class Counter(Model):
    """Reading and writing are two steps, and another worker may write between them."""

    Worker = Ids("w", 2)
    number = var(Int(0, 2), 0)
    seen = var(Map[Worker, Optional[Int(0, 2)]])  # what a worker has read
    done = var(Map[Worker, Int(0, 1)], 0)

    @action
    def read(self, w: Worker):
        require(self.seen[w] is None and self.done[w] == 0)
        self.seen[w] = self.number

    @action
    def write(self, w: Worker):
        require(self.seen[w] is not None)
        self.number = self.seen[w] + 1
        self.seen[w] = None
        self.done[w] = 1

    @quiescent
    def nothing_is_lost(self) -> bool:
        """When both workers are done, the number is 2."""
        return self.number == 2

    expect = violates("nothing_is_lost", steps=4)


class CompareAndSet(Counter):
    """EDIT: write only if the number is still the one that was read; else read it again."""

    def write(self, w):
        require(self.seen[w] is not None)
        if self.number == self.seen[w]:
            self.number += 1
            self.done[w] = 1
        self.seen[w] = None

    expect = holds()

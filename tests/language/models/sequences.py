# expect: holds distinct=325 transitions=1750 depth=7
"""Everything a sequence can do."""

from checker.language import Int, Model, Optional, Seq, action, invariant, require, var


class Sequences(Model):
    q = var(Seq[Int(0, 3), 4])
    last = var(Optional[Int(0, 3)])

    @action
    def push(self, x: Int(0, 3)):
        require(len(self.q) < 4 and x not in self.q)
        self.q.append(x)

    @action
    def front(self):
        require(self.q)
        self.last = self.q.pop(0)

    @action
    def back(self):
        require(len(self.q) > 1)
        x = self.q.pop()
        self.q.insert(0, x)

    @action
    def take(self, x: Int(0, 3)):
        require(x in self.q and self.q.index(x) > 0)
        self.q.remove(x)
        self.last = None

    @action
    def turn(self):
        require(len(self.q) == 3)
        self.q = self.q[1:] + self.q[:1]

    @action
    def swap(self):
        require(len(self.q) == 2 and self.q[0] < self.q[-1])
        self.q[0], self.q[1] = self.q[1], self.q[0]

    @invariant
    def distinct(self) -> bool:
        return all(self.q.count(x) == 1 for x in self.q)

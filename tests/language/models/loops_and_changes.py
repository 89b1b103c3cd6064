# expect: holds distinct=5 transitions=4 depth=5
"""What a loop runs over is computed once; the names of a round are what they were at its start."""

from checker.language import Int, Model, Seq, action, require, var


class Loops(Model):
    queue = var(Seq[Int(0, 3), 4], [2, 0, 1])
    start = var(Int(0, 9), 0)
    out = var(Int(0, 30), 0)

    @action
    def paired(self):
        require(self.out == 0)
        for left, right in zip(self.queue[1:], self.queue[:2]):
            self.queue.pop(0)
            self.out += left + 2 * right

    @action
    def numbered(self):
        require(self.out == 5)
        for place, item in enumerate(list(self.queue), 1):
            self.queue[0] = 0
            self.out += place + item

    @action
    def stepped(self):
        require(self.out == 7)
        for x in range(self.start, 6, 2):
            self.start += 1
            self.out += x

    @action
    def backwards(self):
        require(self.out == 13)
        for x in reversed(self.queue + [1, 2]):
            self.queue = [3, 3]
            self.out += x

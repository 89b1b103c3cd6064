# expect: holds distinct=4 transitions=3 depth=4
"""set(...) and list(...) make a collection of their own, also where it is an argument, one of two, or returned."""

from checker.language import Int, Model, Seq, Set, action, require, rule, var


class Copies(Model):
    held = var(Set[Int(0, 3)], {2})
    queue = var(Seq[Int(0, 3), 4], [2])
    seen = var(Int(0, 9), 0)

    @rule
    def snapshot(self):
        return set(self.held)

    def fill(self, items, line):
        items.add(1)
        line.append(1)
        self.seen = len(items) + len(line)

    @action
    def given(self):
        require(self.seen == 0)
        self.fill(set(self.held), list(self.queue))

    @action
    def kept(self):
        require(self.seen == 4)
        before, line = self.snapshot(), list(self.queue)
        self.held.add(3)
        self.queue.append(3)
        self.seen = len(before) + 2 * len(line)

    @action
    def walked(self):
        require(self.seen == 3)
        for item in list(self.queue):
            self.queue.append(item - 2)
            self.seen += item

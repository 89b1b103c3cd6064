# expect: holds distinct=2 transitions=2 depth=2
"""Empty displays take their type from what they meet."""

from checker.language import Bool, Int, Model, Seq, Set, action, require, var


class EmptyCollections(Model):
    s = var(Set[Int(0, 1)])
    q = var(Seq[Bool, 2])

    @action
    def fill(self):
        require(self.s == set() and self.q == [])
        self.s = {0} if len(self.q) == 0 else set()
        self.q = [] + [True]

    @action
    def empty(self):
        require(self.s != set())
        self.s = set()
        self.q = []

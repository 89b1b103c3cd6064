# expect: holds distinct=65 transitions=64 depth=5
"""set(...) and list(...) copy: changing the copy leaves the state alone."""

from checker.language import Int, Model, Seq, Set, action, invariant, require, var


class CopyOfState(Model):
    kept = var(Set[Int(0, 3)])
    order = var(Seq[Int(0, 3), 4])

    @action
    def put(self, x: Int(0, 3)):
        require(x not in self.kept)
        copy = set(self.kept)
        copy.add(x)
        copy.discard(0)
        names = list(self.order)
        names.append(x)
        names.pop(0)
        self.kept.add(x)
        self.order.append(x)
        assert 0 not in copy and len(names) == len(self.order) - 1

    @invariant
    def same(self) -> bool:
        return set(self.order) == self.kept

# expect: holds distinct=13 transitions=12 depth=5
"""Collections of values and of Optionals mix item by item."""

from checker.language import Ids, Model, Optional, Seq, Set, action, invariant, require, var


class OptionalItems(Model):
    P = Ids("p", 2)
    who = var(Optional[P])
    seen = var(Set[Optional[P]])
    log = var(Seq[Optional[P], 3])

    @action
    def meet(self, p: Optional[P]):
        require(self.who != p and len(self.log) < 2)
        self.who = p
        self.seen = self.seen | {p} | {q for q in self.P if q == p}
        self.log = self.log + [q for q in self.P if q != p]
        last = self.log.pop()
        self.log.append(last if p is not None else None)

    @action
    def clear(self):
        require(None in self.seen and len(self.log) == 3)
        self.seen.discard(None)
        others = set(self.P)
        self.seen &= others
        self.log = [q for q in self.P if q in self.seen]

    @invariant
    def known(self) -> bool:
        return all(q is None or q in self.P for q in self.seen) and len(self.log) <= 3

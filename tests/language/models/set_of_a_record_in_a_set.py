# expect: holds distinct=5 transitions=10 depth=3

from checker.language import Int, Model, Record, Set, action, invariant, var


class Kept(Model):
    """The set in a record never changes, so it can be a member of another set."""

    Bits = Set[Int(0, 1)]
    Letter = Record(items=Bits, n=Int(0, 1))
    letter = var(Letter, (frozenset(), 0))
    seen = var(Set[Bits])

    @action
    def keep(self):
        self.seen = {self.letter.items}

    @action
    def write(self):
        self.letter = self.Letter(items={1}, n=1)

    @invariant
    def one(self) -> bool:
        return len(self.seen) < 2

# expect: holds distinct=54 transitions=99 depth=10
"""Symmetric identities: equality, map index and set member."""

from checker.language import Ids, Int, Map, Model, Optional, Set, action, invariant, require, var


class SymmetricIds(Model):
    P = Ids("p", 3, symmetric=True)
    waiting = var(Set[P])
    inside = var(Optional[P])
    turns = var(Map[P, Int(0, 1)], 0)

    @action
    def ask(self, p: P):
        require(p not in self.waiting and self.inside != p and self.turns[p] == 0)
        self.waiting.add(p)

    @action
    def enter(self, p: P):
        require(p in self.waiting and self.inside is None)
        self.waiting.remove(p)
        self.inside = p

    @action
    def leave(self):
        require(self.inside is not None)
        self.turns[self.inside] = 1
        self.inside = None

    @invariant
    def one(self) -> bool:
        return not any(self.inside == p and p in self.waiting for p in self.P) and sum(
            self.turns[p] for p in self.P
        ) <= len(self.P)

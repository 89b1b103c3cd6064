# expect: holds distinct=85 transitions=192 depth=5
"""None, wrapping and unwrapping."""

from checker.language import Ids, Map, Model, Optional, action, invariant, require, var


class Optionals(Model):
    P = Ids("p", 3)
    leader = var(Optional[P])
    voted = var(Map[P, Optional[P]])

    @action
    def vote(self, p: P, q: P):
        require(self.voted[p] is None)
        self.voted[p] = q

    @action
    def elect(self):
        votes = [self.voted[p] for p in self.P if self.voted[p] is not None]
        require(len(votes) == 3 and self.leader == None)  # noqa: E711
        for q in self.P:
            if votes.count(q) > 1:
                self.leader = q

    @action
    def reset(self):
        require(self.leader is not None)
        boss = self.leader
        self.voted[boss] = None
        self.leader = None

    @invariant
    def majority(self) -> bool:
        return self.leader is None or len([p for p in self.P if self.voted[p] == self.leader]) > 1

# expect: reachable decided distinct=36 transitions=69 depth=5
"""Sets as parameters and members: quorums."""

from checker.language import Ids, Int, Map, Model, Set, action, reachable, require, var


class Quorums(Model):
    A = Ids("a", 3)
    Quorum = Set[A]
    votes = var(Map[Int(0, 1), Set[A]])
    blocked = var(Set[Quorum])

    @action
    def vote(self, a: A, v: Int(0, 1)):
        require(all(a not in self.votes[w] for w in range(2)))
        self.votes[v].add(a)

    @action
    def block(self, q: Quorum):
        require(len(q) == 2 and len(self.blocked) < 1 and q <= self.votes[0])
        self.blocked.add(q)

    @reachable
    def decided(self) -> bool:
        return any(
            len(q) > 1 and q not in self.blocked and q <= self.votes[v] for q in self.Quorum for v in range(2)
        )

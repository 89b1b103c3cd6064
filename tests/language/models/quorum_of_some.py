# expect: holds distinct=117 transitions=290 depth=6
"""at_least= takes exactly so many, any of those there; what is left completes another; bodies that are no union."""

from checker.language import (
    Bool,
    Distributed,
    Int,
    Map,
    Network,
    Process,
    Set,
    action,
    choose,
    const,
    on,
    require,
    rule,
    var,
)


class M(Distributed):
    """Everybody votes for a number; two equal votes are taken at a time, or two of any."""

    processes = const(3)
    losses = const(1)
    majority = const(2)
    votes = var(Network[Process, Int(0, 1)])
    cast = var(Set[Process])
    won = var(Map[Process, Int(0, 2)], 0)
    seen = var(Map[Process, Set[Process]])
    mixed = var(Bool)

    @action
    def vote(self, p: Process):
        require(p not in self.cast)
        self.cast.add(p)
        self.votes.send(p, self.Process[0], choose({0, 1}))

    @on(votes, at_least=majority, same="v")
    def agreed(self, p, qs, v):
        self.won[p] = v + 1
        self.seen[p] = qs

    @rule
    def several(self):
        return len(self.cast) - 1

    @rule
    def others(self, p: Process):
        return {q for q in self.Process if q != p}

    @on(votes, at_least=several, of=others)
    def any_two(self, p, qs, v):
        self.mixed = any(v[q] != v[r] for q in qs for r in qs)
        self.seen[p] |= qs

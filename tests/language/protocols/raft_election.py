"""Raft, leader election alone: terms, votes, and a leader for each term at most."""

from enum import Enum

from checker.language import (
    Distributed,
    Int,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Set,
    Union,
    action,
    const,
    derived,
    invariant,
    on,
    require,
    rule,
    var,
)


class Role(Enum):
    follower = 0
    candidate = 1
    leader = 2


class RaftElection(Distributed):
    """A process that hears nothing stands for election; a majority makes it leader."""

    terms = const(2, "how many terms there may be")
    majority = derived(lambda c: c.processes // 2 + 1)
    Term = Int(0, terms)
    Wire = Union(Ask=Record(term=Term), Vote=Record(term=Term))
    net = var(Network[Process, Wire])
    role = var(Map[Process, Role], Role.follower)
    term = var(Map[Process, Term], 0)
    voted = var(Map[Process, Optional[Process]])
    votes = var(Map[Process, Set[Process]])

    @action
    def stand(self, p: Process):
        require(self.role[p] != Role.leader and self.term[p] < self.terms)
        self.term[p] += 1
        self.role[p] = Role.candidate
        self.voted[p] = p
        self.votes[p] = {p}
        for q in self.Process:
            if q != p:
                self.net.send(p, q, self.Wire.Ask(self.term[p]))

    @on(net, Wire.Ask)
    def asked(self, p, q, term):
        if term > self.term[p]:
            self.follow(p, term)
        if term == self.term[p] and self.voted[p] is None:
            self.voted[p] = q
            self.net.send(p, q, self.Wire.Vote(term))

    @on(net, Wire.Vote)
    def granted(self, p, q, term):
        if self.role[p] == Role.candidate and term == self.term[p]:
            self.votes[p].add(q)
            if self.won(p):
                self.role[p] = Role.leader

    def follow(self, p, term):
        self.term[p] = term
        self.role[p] = Role.follower
        self.voted[p] = None
        self.votes[p].clear()

    @rule
    def won(self, p: Process):
        return len(self.votes[p]) >= self.majority

    @invariant
    def one_leader(self) -> bool:
        return all(
            self.term[p] != self.term[q]
            for p in self.Process
            for q in self.Process
            if p != q and self.role[p] == Role.leader and self.role[q] == Role.leader
        )

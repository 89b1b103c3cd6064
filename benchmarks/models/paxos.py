"""Single-decree Paxos: three acceptors, two values, ballots 0..ballots.

Source: L. Lamport, "The Part-Time Parliament" (1998) and the TLA+ module Paxos.  Messages are never consumed: `msgs` is
the set of all messages ever sent, so a 1a may be sent again (a self-loop).  Leaders and proposers are left out: anybody
may start a ballot.
"""

from __future__ import annotations

from checker.language import (
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Record,
    Set,
    Union,
    action,
    const,
    holds,
    invariant,
    require,
    rule,
    var,
)


class Paxos(Model):
    """Single-decree Paxos; ballot -1 stands for "none yet", a quorum is all acceptors but one."""

    ballots = const(1, "the highest ballot")
    Acceptor = Ids("a", 3, symmetric=True)
    Value = Ids("v", 2, symmetric=True)
    Ballot = Int(0, ballots)
    Vote = Int(-1, ballots)
    Message = Union(
        P1a=Record(bal=Ballot),
        P1b=Record(acc=Acceptor, bal=Ballot, mbal=Vote, mval=Optional[Value]),
        P2a=Record(bal=Ballot, val=Value),
        P2b=Record(acc=Acceptor, bal=Ballot, val=Value),
    )

    max_bal = var(Map[Acceptor, Vote], -1)
    max_vbal = var(Map[Acceptor, Vote], -1)
    max_val = var(Map[Acceptor, Optional[Value]])
    msgs = var(Set[Message])

    @action
    def phase1a(self, b: Ballot):
        self.msgs.add(self.Message.P1a(b))

    @action
    def phase1b(self, a: Acceptor, b: Ballot):
        require(b > self.max_bal[a] and self.Message.P1a(b) in self.msgs)
        self.max_bal[a] = b
        self.msgs.add(self.Message.P1b(a, b, self.max_vbal[a], self.max_val[a]))

    @action
    def phase2a(self, b: Ballot, v: Value, missing: Acceptor):
        """The quorum is everybody but `missing`."""
        require(not any(self.Message.P2a(b, w) in self.msgs for w in self.Value))
        require(self.safe(b, v, missing))
        self.msgs.add(self.Message.P2a(b, v))

    @rule
    def safe(self, b: Ballot, v: Value, missing: Acceptor) -> bool:
        """The quorum has answered ballot b, and v is the value of its latest vote, or it has not voted."""
        answered, latest, free = 0, -1, False
        for m in self.msgs:
            match m:
                case self.Message.P1b(acc, bal, mbal, mval):
                    if bal == b and acc != missing:
                        answered += 1
                        if mbal > latest:
                            latest, free = mbal, False
                        if mbal == latest and mval == v:
                            free = True
        return answered == 2 and (latest == -1 or free)

    @action
    def phase2b(self, a: Acceptor, b: Ballot, v: Value):
        require(b >= self.max_bal[a] and self.Message.P2a(b, v) in self.msgs)
        self.max_bal[a] = b
        self.max_vbal[a] = b
        self.max_val[a] = v
        self.msgs.add(self.Message.P2b(a, b, v))

    @rule
    def chosen(self, v: Value) -> bool:
        """A quorum has voted for v in one ballot."""
        return any(sum(1 for a in self.Acceptor if self.Message.P2b(a, b, v) in self.msgs) >= 2 for b in self.Ballot)

    @invariant
    def one_value(self) -> bool:
        """At most one value is chosen."""
        return all(not (self.chosen(v) and self.chosen(w)) for v in self.Value for w in self.Value if v != w)

    expect = [
        holds(at={"ballots": 1}, distinct=3_921, transitions=23_466, depth=17),
        holds(at={"ballots": 2}, distinct=185_369, transitions=1_350_915, depth=25),
        holds(at={"ballots": 2, "symmetry": True}, distinct=17_153, depth=25),
    ]

"""Consensus in an asynchronous system by rounds: never wrong, but it may go on for ever.

Source: lecture, 'The Consensus Problem' and 'Consensus: Asynchronous Systems', which quotes the impossibility
result of Fischer, Lynch, Paterson (JACM 32(2), 1985): one possible crash is enough, no protocol guarantees a
decision.  The lecture gives no protocol; the main class is Ben-Or's (PODC 1983) without its coin, n = 3
processes of which f = 1 may crash.  In each round

    A1  send the own estimate to all; wait for n - f estimates, the own one among them
    A2  send a proposal to all: the value of more than n / 2 of all processes, if these estimates show one,
            otherwise none; wait for n - f proposals
    A3  decide v if more than f of these propose v; adopt v if one does; otherwise keep the estimate

Rounds are closed: the next one begins when everybody alive has finished and nothing is in flight.  That only
leaves out runs, so a run without decision found here is one of the protocol; agreement is shown for these
runs only.

Found: agreement and validity hold with one crash; with split proposals a round can repeat itself for ever,
without any crash.  Without the coin one proposal is enough to decide (DecideOnOne): estimates change only
towards a majority.  With it that is wrong.
"""

from enum import Enum

from checker.language import (
    Bag,
    Distributed,
    Ids,
    LeadsTo,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Set,
    Union,
    action,
    anything,
    choose,
    const,
    derived,
    draw,
    holds,
    initial,
    invariant,
    on,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class Phase(Enum):
    finished = 1
    estimates = 2  # waiting for estimates
    proposals = 3  # waiting for proposals


class Decision(LeadsTo):
    """Sooner or later every process that stays alive decides."""

    def then(self) -> bool:
        return all(self.decision[p] is not None or not self.live(p) for p in self.Process)


class _Problem(Distributed):
    """What consensus is, for all protocols of this file: proposals, decisions, and the properties."""

    Value = Ids("v", 2)
    proposals = const((0, 0, 1), "which value each process proposes: 0 is v1, 1 is v2")
    proposal = var(Map[Process, Value], anything, kept=True)
    decision = var(Map[Process, Optional[Value]], kept=True)

    @classmethod
    def complete(cls, given):
        """The number of processes follows from the proposals, or they from the number of processes."""
        super().complete(given)
        if "proposals" in given:
            return {"processes": len(given["proposals"])}
        return {"proposals": (*(0,) * (given["processes"] - 1), 1)} if "processes" in given else {}

    @initial
    def given_proposals(self):
        require(all(self.proposal[p].index == self.proposals[p.index] for p in self.Process))

    def decide(self, p, v):
        self.decision[p] = v
        self.emit.decide(p, v)

    @invariant
    def agreement(self):
        return all(
            self.decision[p] is None or self.decision[q] is None or self.decision[p] == self.decision[q]
            for p in self.Process
            for q in self.Process
        )

    @invariant
    def validity(self):
        return all(self.decision[p] is None or self.proposed(self.decision[p]) for p in self.Process)

    @rule
    def proposed(self, v: Value) -> bool:
        """Some process proposes v."""
        return any(self.proposal[p] == v for p in self.Process)

    @quiescent
    def not_blocked(self):
        return all(self.decision[p] is not None or not self.live(p) for p in self.Process)


class Consensus(_Problem):
    """Rounds of estimates and proposals."""

    f = const(1, "crashes the protocol is made for")
    Told = Optional[_Problem.Value]
    Wire = Union(Estimate=Record(v=_Problem.Value), Propose=Record(v=Told))

    phase = var(Map[Process, Phase], Phase.finished)
    estimate = var(Map[Process, _Problem.Value], anything)
    estimates = var(Map[Process, Bag[_Problem.Value, _Problem.processes]])
    told = var(Map[Process, Bag[Told, _Problem.processes]])
    net = var(Network[Process, Wire])

    @initial
    def given_proposals(self):
        require(all(self.proposal[p].index == self.proposals[p.index] for p in self.Process))
        require(all(self.estimate[p] == self.proposal[p] for p in self.Process))

    @action
    def begin_round(
        self,
    ):  # A1, for all at once: a process that crashes while sending is like one whose messages come too late
        require(len(self.net) == 0 and any(self.live(p) and self.decision[p] is None for p in self.Process))
        require(all(self.phase[p] == Phase.finished or not self.live(p) for p in self.Process))
        for p in self.Process:
            if self.live(p):
                self.phase[p] = Phase.estimates
                self.estimates[p].add(self.estimate[p])
                self.net.multicast(p, self.Wire.Estimate(self.estimate[p]), to={q for q in self.Process if q != p})

    @on(net, Wire.Estimate)
    def receive_estimate(self, p, q, v):
        if self.phase[p] == Phase.estimates:
            self.estimates[p].add(v)
            if len(self.estimates[p]) == self.processes - self.f:
                self.propose(p)

    def propose(self, p):  # A2
        proposal = self.majority(p)
        self.phase[p] = Phase.proposals
        self.estimates[p].clear()
        self.told[p].add(proposal)
        self.net.multicast(p, self.Wire.Propose(proposal), to={q for q in self.Process if q != p})

    @on(net, Wire.Propose)
    def receive_proposal(self, p, q, v):
        require(self.phase[p] != Phase.estimates)  # a proposal that is early waits
        if self.phase[p] == Phase.proposals:
            self.told[p].add(v)
            if len(self.told[p]) == self.processes - self.f:
                self.finish(p)

    def finish(self, p):  # A3
        if all(v is None for v in self.told[p]):
            self.estimate[p] = choose(self.otherwise(p))
        for v in self.Value:
            count = self.told[p].count(v)
            if self.enough(count) and self.decision[p] is None:
                self.decide(p, v)
            if self.adopts(count):
                self.estimate[p] = v
        self.told[p].clear()
        self.phase[p] = Phase.finished

    @rule
    def majority(self, p: Process) -> Told:
        """The value of more than half of all processes among the estimates of p."""
        for v in self.Value:
            if 2 * self.estimates[p].count(v) > self.processes:
                return v
        return None

    @rule
    def enough(self, count: range(4)):
        """So many proposals of a value decide it."""
        return count > self.f

    @rule
    def adopts(self, count: range(4)):
        """So many proposals of a value make it the estimate."""
        return count > 0

    @rule
    def otherwise(self, p: Process) -> Set[_Problem.Value]:
        """What p may take as its estimate when nobody proposes anything."""
        return {self.estimate[p]}

    picture = [draw.step("begin_round", "begin a round"), draw.aside("phase")]

    expect = [
        holds(distinct=6992, transitions=33893),
        holds(at={"proposals": (0, 1, 1), "crashes": 1}, distinct=16052, transitions=112335),
        violates("not_blocked", at={"crashes": 2}),
        holds(at={"proposals": (0, 1, 0, 1), "crashes": 1}, thorough=True),  # a draw: nobody ever decides
    ]


class EventuallyDecides(Consensus):
    """CLAIM: sooner or later everybody alive decides.  The counterexample is a round that repeats itself."""

    properties = [Decision]
    expect = [violates(Decision), violates(Decision, at={"proposals": (0, 1, 1), "crashes": 1})]


class HeardOf(_Problem):
    """READING: the rounds without a network: in each half a process hears of itself and any n - f - 1 others."""

    f = const(1, "crashes the protocol is made for")
    estimate = var(Map[Process, _Problem.Value], anything)
    told = var(Map[Process, Optional[_Problem.Value]])  # proposals, inside a round only

    @initial
    def given_proposals(self):
        require(all(self.proposal[p].index == self.proposals[p.index] for p in self.Process))
        require(all(self.estimate[p] == self.proposal[p] for p in self.Process))

    @action
    def one_round(self):
        require(any(self.decision[p] is None for p in self.Process))
        for p in self.Process:  # A1
            heard = {p}
            while len(heard) < self.processes - self.f:
                heard.add(choose({q for q in self.Process if q not in heard}))
            for v in self.Value:  # A2
                if 2 * sum(1 for q in heard if self.estimate[q] == v) > self.processes:
                    self.told[p] = v
        for p in self.Process:  # A3
            heard = {p}
            while len(heard) < self.processes - self.f:
                heard.add(choose({q for q in self.Process if q not in heard}))
            for v in self.Value:
                count = sum(1 for q in heard if self.told[q] == v)
                if count > self.f and self.decision[p] is None:
                    self.decide(p, v)
                if count > 0:
                    self.estimate[p] = v
        for p in self.Process:
            self.told[p] = None

    properties = [Decision]
    expect = [violates(Decision), violates(Decision, at={"proposals": (0, 1, 1)}), holds(at={"proposals": (0, 0, 0)})]


class Coin(Consensus):
    """READING: Ben-Or's protocol with its coin, here any value: it decides with probability one."""

    @rule
    def otherwise(self, p):
        return set(self.Value)

    expect = holds(at={"proposals": (0, 1, 1), "crashes": 1}, distinct=93734)


class DecideOnOneWithCoin(Coin):
    """EDIT: with the coin, one proposal is enough to decide."""

    @rule
    def enough(self, count):
        return count > 0

    expect = violates("agreement", steps=17)


class DecideOnOne(Consensus):
    """EDIT: one proposal is enough to decide."""

    @rule
    def enough(self, count):
        return count > 0

    expect = holds(at={"proposals": (0, 1, 1), "crashes": 1}, distinct=26739)


class KeepEstimate(Consensus):
    """EDIT: keep the estimate unless the value is decided."""

    @rule
    def adopts(self, count):
        return count > self.f

    expect = holds(at={"proposals": (0, 1, 1), "crashes": 1}, distinct=23091)


class AnyEstimate(Consensus):
    """EDIT: propose the smallest estimate when there is no majority."""

    @rule
    def majority(self, p):
        return min(self.estimates[p])

    expect = [holds(), violates("agreement", at={"proposals": (0, 1, 1)}, steps=17)]


class WaitForAll(Consensus):
    """EDIT: wait for everybody, f = 0: nobody decides when one has crashed."""

    f = const(0, "crashes the protocol is made for")

    expect = [holds(), violates("not_blocked", at={"crashes": 1}, steps=4)]


class Gathering(Consensus):
    """VARIANT: a process takes the n - f - 1 messages of others that it waits for in one step, a quorum reception; what
    comes later is received alone, and changes nothing."""

    others = derived(lambda c: c.processes - c.f - 1)

    @on(Consensus.net, Consensus.Wire.Estimate, at_least=others)
    def receive_estimate(self, p, senders, v):
        require(self.phase[p] == Phase.estimates)
        for q in senders:
            self.estimates[p].add(v[q])
        self.propose(p)

    @on(Consensus.net, Consensus.Wire.Estimate)
    def late_estimate(self, p, q):
        require(self.phase[p] != Phase.estimates)

    @on(Consensus.net, Consensus.Wire.Propose, at_least=others)
    def receive_proposal(self, p, senders, v):
        require(self.phase[p] == Phase.proposals)
        for q in senders:
            self.told[p].add(v[q])
        self.finish(p)

    @on(Consensus.net, Consensus.Wire.Propose)
    def late_proposal(self, p, q):
        require(self.phase[p] == Phase.finished)

    expect = [
        holds(distinct=6992, transitions=33893),  # n - f - 1 is 1: the same steps
        holds(at={"proposals": (0, 1, 1), "crashes": 1}, distinct=16052, transitions=112335),
        violates("not_blocked", at={"crashes": 2}),
        holds(at={"proposals": (0, 1, 0, 1)}, distinct=162161, transitions=1262713, thorough=True),
    ]

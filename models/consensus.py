"""Consensus in an asynchronous system: a protocol that is never wrong but may go on for ever, and simpler ones that are wrong or block.

Source: lecture, 'The Consensus Problem' and 'Consensus: Asynchronous Systems', which quotes the impossibility result of Fischer, Lynch, Paterson
(JACM 32(2), 1985): one possible crash is enough, no protocol guarantees a decision.  The lecture gives no protocol; the main class is Ben-Or's
(PODC 1983) without its coin, n = 3 processes of which f = 1 may crash.  In each round

    A1  send the own estimate to all; wait for n - f estimates, the own one among them
    A2  send a proposal to all: the value of more than n / 2 of all processes, if these estimates show one, otherwise none; wait for n - f proposals
    A3  decide v if more than f of these propose v; adopt v if one does; otherwise keep the estimate

Rounds are closed: the next one begins when everybody alive has finished and nothing is in flight.  That only leaves out runs, so a run without
decision found here is one of the protocol; agreement is shown for these runs only.
"""

from enum import Enum

from checker.language import Bag, Distributed, Ids, LeadsTo, Map, Network, Optional, Process, Record, Set, Union, action, anything, choose, const
from checker.language import holds, initial, invariant, on, quiescent, require, rule, var, violates


class Phase(Enum):
    ready = 1
    estimates = 2  # waiting for estimates
    proposals = 3  # waiting for proposals
    finished = 4


class Decision(LeadsTo):
    """Sooner or later every process that stays alive decides."""

    def then(self) -> bool:
        return all(self.decision[p] is not None or not self.live(p) for p in self.Process)


class _Problem(Distributed):
    """What consensus is, for all protocols of this file: proposals, decisions, and the properties."""

    Value = Ids("v", 2)
    proposal = var(Map[Process, Value], anything, kept=True)
    decision = var(Map[Process, Optional[Value]], kept=True)

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
        return any(self.proposal[p] == v for p in self.Process)

    @quiescent
    def not_blocked(self):
        return all(self.decision[p] is not None or not self.live(p) for p in self.Process)


class Consensus(_Problem):
    """Rounds of estimates and proposals."""

    f = const(1, "crashes the protocol is made for")
    Told = Optional[_Problem.Value]
    Wire = Union(Estimate=Record(v=_Problem.Value), Propose=Record(v=Told))

    phase = var(Map[Process, Phase], Phase.ready)
    estimate = var(Map[Process, _Problem.Value], anything)
    estimates = var(Map[Process, Bag[_Problem.Value, _Problem.processes]])
    proposals = var(Map[Process, Bag[Told, _Problem.processes]])
    net = var(Network[Process, Wire])

    @initial
    def begin_with_proposals(self):
        require(all(self.estimate[p] == self.proposal[p] for p in self.Process))

    @action
    def start(self, p: Process):  # A1
        require(self.phase[p] == Phase.ready)
        self.phase[p] = Phase.estimates
        self.estimates[p].add(self.estimate[p])
        self.net.multicast(p, self.Wire.Estimate(self.estimate[p]), to={q for q in self.Process if q != p})

    @on(net, Wire.Estimate)
    def receive_estimate(self, p, q, v):
        require(self.phase[p] != Phase.ready)
        if self.phase[p] == Phase.estimates:
            self.estimates[p].add(v)
            if len(self.estimates[p]) == self.processes - self.f:
                self.propose(p)

    def propose(self, p):  # A2
        proposal = self.majority(p)
        self.phase[p] = Phase.proposals
        self.estimates[p].clear()
        self.proposals[p].add(proposal)
        self.net.multicast(p, self.Wire.Propose(proposal), to={q for q in self.Process if q != p})

    @on(net, Wire.Propose)
    def receive_proposal(self, p, q, v):
        require(self.phase[p] in (Phase.proposals, Phase.finished))
        if self.phase[p] == Phase.proposals:
            self.proposals[p].add(v)
            if len(self.proposals[p]) == self.processes - self.f:
                self.finish(p)

    def finish(self, p):  # A3
        if all(v is None for v in self.proposals[p]):
            self.estimate[p] = choose(self.otherwise(p))
        for v in self.Value:
            count = self.proposals[p].count(v)
            if self.enough(count) and self.decision[p] is None:
                self.decide(p, v)
            if self.adopts(count):
                self.estimate[p] = v
        self.proposals[p].clear()
        self.phase[p] = Phase.finished

    @action
    def next_round(self):
        require(len(self.net) == 0 and any(self.live(p) and self.decision[p] is None for p in self.Process))
        require(all(self.phase[p] == Phase.finished or not self.live(p) for p in self.Process))
        for p in self.Process:
            if self.live(p):
                self.phase[p] = Phase.ready

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

    properties = [Decision]


class Coin(Consensus):
    """READING: Ben-Or's protocol with its coin, here any value: it decides with probability one, but not in every run."""

    @rule
    def otherwise(self, p):
        return set(self.Value)


class DecideOnOneWithCoin(Coin):
    """EDIT: with the coin, one proposal is enough to decide."""

    @rule
    def enough(self, count):
        return count > 0


class DecideOnOne(Consensus):
    """EDIT: one proposal is enough to decide."""

    @rule
    def enough(self, count):
        return count > 0


class KeepEstimate(Consensus):
    """EDIT: keep the estimate unless the value is decided."""

    @rule
    def adopts(self, count):
        return count > self.f


class AnyEstimate(Consensus):
    """EDIT: propose the smallest estimate when there is no majority."""

    @rule
    def majority(self, p):
        return min(self.estimates[p])


class WaitForAll(Consensus):
    """EDIT: wait for everybody, f = 0: nobody decides when one has crashed."""

    f = const(0, "crashes the protocol is made for")


class SmallestOfAll(_Problem):
    """ATTEMPT: send the proposal to all, wait for all, decide the smallest."""

    known = var(Map[Process, Bag[_Problem.Value, _Problem.processes]])
    started = var(Map[Process, bool])
    net = var(Network[Process, _Problem.Value])

    @action
    def start(self, p: Process):
        require(not self.started[p])
        self.started[p] = True
        self.net.multicast(p, self.proposal[p])

    @on(net)
    def receive(self, p, q, v):
        if self.decision[p] is None:
            self.known[p].add(v)
            if len(self.known[p]) == self.awaited():
                self.decide(p, min(self.known[p]))
                self.known[p].clear()

    @rule
    def awaited(self):
        """So many proposals are awaited."""
        return self.processes

    properties = [Decision]


class SmallestOfMost(SmallestOfAll):
    """ATTEMPT: wait for all but one, decide the smallest."""

    @rule
    def awaited(self):
        return self.processes - 1


class Vote(SmallestOfAll):
    """ATTEMPT: decide the value that more than half of the processes propose."""

    @on(SmallestOfAll.net)
    def receive(self, p, q, v):
        if self.decision[p] is None:
            self.known[p].add(v)
            for x in self.Value:
                if 2 * self.known[p].count(x) > self.processes and self.decision[p] is None:
                    self.decide(p, x)
            if self.decision[p] is not None:
                self.known[p].clear()


class Leader(SmallestOfAll):
    """ATTEMPT: decide the proposal of p1; a process that takes p1 for crashed decides its own."""

    @action
    def start(self, p: Process):
        require(p == self.Process[0] and not self.started[p])
        self.started[p] = True
        self.net.multicast(p, self.proposal[p])

    @on(SmallestOfAll.net)
    def receive(self, p, q, v):
        if self.decision[p] is None:
            self.decide(p, v)

    @action
    def time_out(self, p: Process):
        require(self.decision[p] is None and self.gives_up(p))
        self.decide(p, self.proposal[p])

    @rule
    def gives_up(self, p: Process):
        """An asynchronous process cannot tell a crashed leader from a slow one."""
        return p != self.Process[0]


class LeaderSeenCrashed(Leader):
    """EDIT: give up only when the leader has really crashed (a perfect detector)."""

    @rule
    def gives_up(self, p):
        return self.Process[0] in self.crashed

"""Consensus attempts of one round: each either decides two values or waits for ever.

Source: lecture, 'Consensus: Asynchronous Systems' (Fischer, Lynch, Paterson, JACM 32(2), 1985): with one
possible crash no asynchronous protocol guarantees a decision. The attempts wait for all (blocks after a
crash), for all but one (two decisions), for a majority of equal proposals (blocks after a crash or a draw),
or trust a leader until they take it for crashed (two decisions).

They count proposals, not the processes that made them: with one duplicate the first three decide two values.
"""

from checker.language import Bag, Map, Network, Process, action, holds, on, require, rule, var, violates
from checker.models._duplicates import spare
from checker.models.consensus import Decision, _Problem


class SmallestOfAll(_Problem):
    """ATTEMPT: send the proposal to all, wait for all, decide the smallest."""

    known = var(Map[Process, Bag[_Problem.Value, _Problem.processes + spare]])
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
    expect = [
        holds(),
        violates("not_blocked", Decision, at={"crashes": 1}),
        # proposals are counted, not who made them
        violates("agreement", at={"proposals": (0, 1), "duplicates": 1}, only=["agreement"], steps=7),
    ]


class SmallestOfMost(SmallestOfAll):
    """ATTEMPT: wait for all but one, decide the smallest."""

    @rule
    def awaited(self):
        return self.processes - 1

    expect = [
        holds(),
        violates("agreement", at={"proposals": (0, 1, 1)}, steps=7),
        violates("agreement", at={"proposals": (0, 1, 1), "crashes": 1}),
    ]


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

    expect = [
        holds(),
        violates("not_blocked", Decision, at={"crashes": 1}),
        violates("not_blocked", at={"proposals": (0, 0, 1, 1)}, only=["agreement", "not_blocked"]),
        holds(at={"proposals": (0, 1), "duplicates": 1}, only=["agreement", "validity"]),
        violates("agreement", at={"duplicates": 1}, only=["agreement"], steps=8),
    ]


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

    expect = [violates("agreement", steps=2), violates("agreement", at={"crashes": 1})]


class LeaderSeenCrashed(Leader):
    """EDIT: give up only when the leader has really crashed (a perfect detector)."""

    @rule
    def gives_up(self, p):
        return self.Process[0] in self.crashed

    expect = [holds(), violates("agreement", at={"proposals": (0, 1, 1), "crashes": 1}, steps=3)]

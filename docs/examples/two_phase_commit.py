"""Two-phase commit: all managers commit a transaction, or all abort it."""

from enum import Enum

from checker.language import (
    Distributed,
    Map,
    Network,
    Process,
    Set,
    action,
    holds,
    invariant,
    on,
    quiescent,
    require,
    rule,
    var,
    violates,
)


class Status(Enum):
    working = 0
    prepared = 1
    committed = 2
    aborted = 3


class TwoPhaseCommit(Distributed):
    """Every process is a manager; p1 coordinates too: it commits when every manager is prepared."""

    votes = var(Network[Process, Status])
    decisions = var(Network[Process, Status])
    status = var(Map[Process, Status], Status.working, kept=True)  # on disk: a crash does not lose it
    prepared = var(Set[Process])  # whose votes p1 has

    @action
    def vote(self, p: Process, choice: Status):
        require(self.status[p] == Status.working and choice in {Status.prepared, Status.aborted})
        self.status[p] = choice
        self.votes.send(p, self.Process[0], choice)

    @on(votes)
    def count(self, p, q, choice):  # p1 receives the vote of q
        if choice == Status.aborted:
            self.decisions.multicast(p, Status.aborted)
        else:
            self.prepared.add(q)
            if self.may_commit():
                self.decisions.multicast(p, Status.committed)

    @on(decisions)
    def decide(self, p, q, decision):
        self.status[p] = decision

    @rule
    def may_commit(self):
        return len(self.prepared) == len(self.Process)

    @invariant
    def agreement(self) -> bool:
        """No manager commits while another aborts."""
        return all(
            self.status[p] != Status.committed or self.status[q] != Status.aborted
            for p in self.Process
            for q in self.Process
        )

    @quiescent
    def all_decide(self) -> bool:
        """When nothing can happen any more, every manager that is alive has decided."""
        return all(self.status[p] in {Status.committed, Status.aborted} for p in self.Process if p not in self.crashed)

    expect = [holds(at={"processes": 3}), violates("all_decide", at={"processes": 2, "crashes": 1})]


class Majority(TwoPhaseCommit):
    """EDIT: commit when more than half of the managers are prepared."""

    @rule
    def may_commit(self):
        return 2 * len(self.prepared) > len(self.Process)

    expect = violates("agreement", at={"processes": 3})

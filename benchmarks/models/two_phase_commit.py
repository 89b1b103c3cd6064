"""Two-phase commit: a transaction manager commits only if every resource manager is prepared.

Source: J. Gray and L. Lamport, "Consensus on Transaction Commit", ACM TODS 31(1), 2006; the TLA+ module TwoPhase.
Messages are never consumed: `msgs` is the set of all messages ever sent, so a message may be received again (a
self-loop).  Nobody crashes; the model says nothing about blocking.
"""

from __future__ import annotations

from enum import Enum

from checker.language import Ids, Map, Model, Record, Set, Union, action, const, holds, invariant, require, var


class Status(Enum):
    """State of a resource manager."""

    working = 0
    prepared = 1
    committed = 2
    aborted = 3


class Decision(Enum):
    """State of the transaction manager."""

    init = 0
    committed = 1
    aborted = 2


class TwoPhaseCommit(Model):
    """Two-phase commit with one transaction manager and `managers` resource managers."""

    managers = const(3, "resource managers")
    Manager = Ids("rm", managers, symmetric=True)
    Message = Union(Prepared=Record(rm=Manager), Commit=Record(), Abort=Record())

    rm_state = var(Map[Manager, Status], Status.working)
    tm_state = var(Decision, Decision.init)
    tm_prepared = var(Set[Manager])
    msgs = var(Set[Message])

    @action
    def tm_receive_prepared(self, rm: Manager):
        require(self.tm_state == Decision.init and self.Message.Prepared(rm) in self.msgs)
        self.tm_prepared.add(rm)

    @action
    def tm_commit(self):
        require(self.tm_state == Decision.init and len(self.tm_prepared) == len(self.Manager))
        self.tm_state = Decision.committed
        self.msgs.add(self.Message.Commit())

    @action
    def tm_abort(self):
        require(self.tm_state == Decision.init)
        self.tm_state = Decision.aborted
        self.msgs.add(self.Message.Abort())

    @action
    def rm_prepare(self, rm: Manager):
        require(self.rm_state[rm] == Status.working)
        self.rm_state[rm] = Status.prepared
        self.msgs.add(self.Message.Prepared(rm))

    @action
    def rm_choose_to_abort(self, rm: Manager):
        require(self.rm_state[rm] == Status.working)
        self.rm_state[rm] = Status.aborted

    @action
    def rm_receive_commit(self, rm: Manager):
        require(self.Message.Commit() in self.msgs)
        self.rm_state[rm] = Status.committed

    @action
    def rm_receive_abort(self, rm: Manager):
        require(self.Message.Abort() in self.msgs)
        self.rm_state[rm] = Status.aborted

    @invariant
    def consistent(self) -> bool:
        """No manager has aborted while another has committed."""
        return all(
            not (self.rm_state[a] == Status.aborted and self.rm_state[b] == Status.committed)
            for a in self.Manager
            for b in self.Manager
        )

    expect = [
        holds(at={"managers": 3}, distinct=288, transitions=1_145, depth=11),
        holds(at={"managers": 5}, distinct=8_832, transitions=58_145, depth=17),
        holds(at={"managers": 6}, distinct=50_816, transitions=402_305, depth=20),
        holds(at={"managers": 7}, distinct=296_448, transitions=2_744_705, depth=23),
        holds(at={"managers": 5, "symmetry": True}, distinct=314, depth=17),
        holds(at={"managers": 8, "symmetry": True}, distinct=1_461, depth=26),
        holds(at={"managers": 8}, distinct=1_745_408, transitions=18_507_777, depth=26, thorough=True),
        holds(at={"managers": 9}, distinct=10_340_352, transitions=123_558_401, depth=29, thorough=True),
    ]

# expect: holds distinct=288 transitions=1145 depth=11
"""Two-phase commit with three resource managers; the counts are known from other tools."""

from enum import Enum

from checker.language import Ids, Map, Model, Record, Set, Union, action, const, invariant, require, var


class Rm(Enum):
    working = 0
    prepared = 1
    committed = 2
    aborted = 3


class Tm(Enum):
    init = 0
    committed = 1
    aborted = 2


class TwoPhase(Model):
    managers = const(3)
    RM = Ids("r", managers)
    Wire = Union(Prepared=Record(rm=RM), Commit=Record(), Abort=Record())
    rm = var(Map[RM, Rm], Rm.working)
    tm = var(Tm, Tm.init)
    prepared = var(Set[RM])
    msgs = var(Set[Wire])

    @action
    def tm_receives_prepared(self, r: RM):
        require(self.tm == Tm.init and self.Wire.Prepared(r) in self.msgs)
        self.prepared.add(r)

    @action
    def tm_commits(self):
        require(self.tm == Tm.init and self.prepared == set(self.RM))
        self.tm = Tm.committed
        self.msgs.add(self.Wire.Commit())

    @action
    def tm_aborts(self):
        require(self.tm == Tm.init)
        self.tm = Tm.aborted
        self.msgs.add(self.Wire.Abort())

    @action
    def rm_prepares(self, r: RM):
        require(self.rm[r] == Rm.working)
        self.rm[r] = Rm.prepared
        self.msgs.add(self.Wire.Prepared(rm=r))

    @action
    def rm_aborts(self, r: RM):
        require(self.rm[r] == Rm.working)
        self.rm[r] = Rm.aborted

    @action
    def rm_told_commit(self, r: RM):
        require(self.Wire.Commit() in self.msgs)
        self.rm[r] = Rm.committed

    @action
    def rm_told_abort(self, r: RM):
        require(self.Wire.Abort() in self.msgs)
        self.rm[r] = Rm.aborted

    @invariant
    def consistent(self) -> bool:
        return not any(
            self.rm[a] == Rm.aborted and self.rm[b] == Rm.committed for a in self.RM for b in self.RM
        )

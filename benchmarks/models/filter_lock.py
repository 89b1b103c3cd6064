"""Peterson's filter lock: of those who enter a level, one stays behind.

Source: G. L. Peterson, "Myths about the mutual exclusion problem", IPL 12(3), 1981, generalised to N processes.  The
wait reads all levels in one step.
"""

from __future__ import annotations

from checker.language import Ids, Int, Map, Model, Optional, action, const, holds, invariant, require, var


class FilterLock(Model):
    """Peterson's filter lock.

    pc 0: idle; 1: announce; 2: wait; 3: critical.
    """

    processes = const(3, "processes")
    Process = Ids("p", processes)
    Level = Int(0, processes - 1)

    pc = var(Map[Process, Int(0, 3)], 0)
    level = var(Map[Process, Level], 0)
    last = var(Map[Int(1, processes - 1), Optional[Process]])

    @action
    def start(self, p: Process):
        require(self.pc[p] == 0)
        self.level[p] = 1
        self.pc[p] = 1

    @action
    def announce(self, p: Process):
        require(self.pc[p] == 1)
        self.last[self.level[p]] = p
        self.pc[p] = 2

    @action
    def advance(self, p: Process):
        require(self.pc[p] == 2)
        mine = self.level[p]
        require(self.last[mine] != p or all(self.level[q] < mine for q in self.Process if q != p))
        if mine < self.processes - 1:
            self.level[p] = mine + 1
            self.pc[p] = 1
        else:
            self.pc[p] = 3

    @action
    def leave(self, p: Process):
        require(self.pc[p] == 3)
        self.level[p] = 0
        self.pc[p] = 0

    @invariant
    def mutual_exclusion(self) -> bool:
        """At most one process is critical."""
        return all(not (self.pc[p] == 3 and self.pc[q] == 3) for p in self.Process for q in self.Process if p < q)

    expect = [
        holds(at={"processes": 3}, distinct=356, transitions=810),
        holds(at={"processes": 4}, distinct=5_744, transitions=15_848),
        holds(at={"processes": 5}, distinct=104_432, transitions=338_790),
        holds(at={"processes": 6}, distinct=2_111_008, transitions=7_861_932, thorough=True),
    ]

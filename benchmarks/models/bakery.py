"""Lamport's bakery: take a ticket higher than all others; the lowest ticket goes first, ties by process number.

Source: L. Lamport, "A new solution of Dijkstra's concurrent programming problem", CACM 17(8), 1974.  Tickets are cut at
`tickets`: nobody takes one while some ticket is at that bound.  Reads and writes of one statement are one step, so the
model says nothing about unsafe registers.
"""

from __future__ import annotations

from checker.language import Bool, Int, Map, Model, action, const, holds, invariant, require, var


class Bakery(Model):
    """Lamport's bakery.

    pc 0: idle; 1: choosing; 2: has a ticket; 3: waits for k to choose; 4: waits for k's turn to pass; 5: critical.
    """

    processes = const(2, "processes")
    tickets = const(3, "highest ticket")
    Process = Int(0, processes - 1)

    pc = var(Map[Process, Int(0, 5)], 0)
    num = var(Map[Process, Int(0, tickets)], 0)
    choosing = var(Map[Process, Bool])
    k = var(Map[Process, Int(0, processes)], 0)

    @action
    def start(self, i: Process):
        require(self.pc[i] == 0)
        self.choosing[i] = True
        self.pc[i] = 1

    @action
    def take_ticket(self, i: Process):
        require(self.pc[i] == 1)
        highest = max(self.num[q] for q in self.Process)
        require(highest < self.tickets)
        self.num[i] = highest + 1
        self.pc[i] = 2

    @action
    def chosen(self, i: Process):
        require(self.pc[i] == 2)
        self.choosing[i] = False
        self.k[i] = 0
        self.pc[i] = 3

    @action
    def look(self, i: Process):
        require(self.pc[i] == 3 and self.k[i] < self.processes)
        require(not self.choosing[self.k[i]])
        self.pc[i] = 4

    @action
    def pass_by(self, i: Process):
        require(self.pc[i] == 4)
        k = self.k[i]
        require(self.num[k] == 0 or self.num[i] < self.num[k] or (self.num[i] == self.num[k] and i <= k))
        self.k[i] = k + 1
        self.pc[i] = 3

    @action
    def enter(self, i: Process):
        require(self.pc[i] == 3 and self.k[i] == self.processes)
        self.pc[i] = 5
        self.k[i] = 0

    @action
    def leave(self, i: Process):
        require(self.pc[i] == 5)
        self.num[i] = 0
        self.pc[i] = 0

    @invariant
    def mutual_exclusion(self) -> bool:
        """At most one process is critical."""
        return all(not (self.pc[i] == 5 and self.pc[j] == 5) for i in self.Process for j in self.Process if i < j)

    expect = [
        holds(at={"processes": 2, "tickets": 3}, distinct=196, transitions=340),
        holds(at={"processes": 3, "tickets": 3}, distinct=2_357, transitions=5_774),
        holds(at={"processes": 4, "tickets": 4}, distinct=64_236, transitions=206_896),
        holds(at={"processes": 5, "tickets": 5}, distinct=2_316_639, transitions=9_291_095, thorough=True),
    ]

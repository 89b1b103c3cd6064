"""Leader election on a unidirectional ring: forward smaller identities, drop larger ones, win on your own.

Source: E. Chang and R. Roberts, "An improved algorithm for decentralized extrema-finding in circular configurations of
processes", CACM 22(5), 1979; the TLA+ module ChangRoberts.  Node i has identity i; the smallest initiator wins.  Every
set of initiators is an initial state.  Messages to a node form a set.
"""

from __future__ import annotations

from enum import Enum

from checker.language import (
    Bool,
    Int,
    Map,
    Model,
    Set,
    action,
    anything,
    const,
    holds,
    initial,
    invariant,
    require,
    rule,
    var,
)


class State(Enum):
    """What a node knows of the election."""

    candidate = 0
    lost = 1
    won = 2


class ChangRoberts(Model):
    """Leader election; node i sends to i+1."""

    nodes = const(3, "nodes of the ring")
    Node = Int(0, nodes - 1)

    msgs = var(Map[Node, Set[Node]])
    started = var(Map[Node, Bool])
    initiator = var(Map[Node, Bool], anything)
    state = var(Map[Node, State], State.candidate)

    @initial
    def only_initiators_are_candidates(self):
        for i in self.Node:
            if not self.initiator[i]:
                self.state[i] = State.lost

    @rule
    def next(self, i: Node) -> Node:
        return (i + 1) % self.nodes

    @action
    def start(self, i: Node):
        require(not self.started[i])
        self.started[i] = True
        if self.initiator[i]:
            self.msgs[self.next(i)].add(i)

    @action
    def receive(self, i: Node, id: Node):
        require(self.started[i] and id in self.msgs[i])
        self.msgs[i].remove(id)
        if self.state[i] == State.lost:
            self.msgs[self.next(i)].add(id)
        elif id < i:
            self.state[i] = State.lost
            self.msgs[self.next(i)].add(id)
        elif id == i:
            self.state[i] = State.won

    @invariant
    def smallest_wins(self) -> bool:
        """Who won is the smallest initiator, and no other initiator has won."""
        return all(
            self.state[i] != State.won
            or (
                self.initiator[i]
                and all(not self.initiator[j] or (j > i and self.state[j] != State.won) for j in self.Node if j != i)
            )
            for i in self.Node
        )

    expect = [
        holds(at={"nodes": 3}, distinct=137, transitions=219),
        holds(at={"nodes": 5}, distinct=5_455, transitions=15_081),
        holds(at={"nodes": 7}, distinct=333_161, transitions=1_385_747),
        holds(at={"nodes": 8}, distinct=3_095_363, transitions=15_292_331, thorough=True),
    ]

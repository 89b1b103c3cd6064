"""Termination detection on a ring: a token, coloured black by whoever reactivated a node behind it.

Source: E. W. Dijkstra, W. H. J. Feijen, A. J. M. van Gasteren, "Derivation of a termination detection algorithm for
distributed computations" (EWD840). Activation is instantaneous: no message is in flight.  Every assignment of activity,
colours and token place is an initial state.
"""

from __future__ import annotations

from enum import Enum

from checker.language import Bool, Int, Map, Model, action, anything, const, holds, invariant, require, var


class Color(Enum):
    """Colour of a node or of the token."""

    white = 0
    black = 1


class Ewd840(Model):
    """Termination detection; the token travels from the last node down to node 0."""

    nodes = const(3, "nodes of the ring")
    Node = Int(0, nodes - 1)

    active = var(Map[Node, Bool], anything)
    color = var(Map[Node, Color], anything)
    token_at = var(Node, anything)
    token_color = var(Color, Color.black)

    @action
    def initiate_probe(self):
        require(self.token_at == 0 and (self.token_color == Color.black or self.color[0] == Color.black))
        self.token_at = self.nodes - 1
        self.token_color = Color.white
        self.color[0] = Color.white

    @action
    def pass_token(self, i: Node):
        require(i != 0 and self.token_at == i)
        require(not self.active[i] or self.color[i] == Color.black or self.token_color == Color.black)
        self.token_at = i - 1
        if self.color[i] == Color.black:
            self.token_color = Color.black
        self.color[i] = Color.white

    @action
    def send_message(self, i: Node, j: Node):
        require(self.active[i] and j != i)
        self.active[j] = True
        if j > i:
            self.color[i] = Color.black

    @action
    def deactivate(self, i: Node):
        require(self.active[i])
        self.active[i] = False

    @invariant
    def detection(self) -> bool:
        """When node 0 concludes that all have terminated, nobody is active."""
        quiet = (
            self.token_at == 0
            and self.token_color == Color.white
            and self.color[0] == Color.white
            and not self.active[0]
        )
        return not quiet or all(not self.active[i] for i in self.Node)

    expect = [
        holds(at={"nodes": 3}, distinct=302, transitions=1_625),
        holds(at={"nodes": 5}, distinct=7_742, transitions=103_843),
        holds(at={"nodes": 7}, distinct=172_286, transitions=4_380_037),
        holds(at={"nodes": 8}, distinct=786_942, transitions=25_909_510, thorough=True),
        holds(at={"nodes": 9}, distinct=3_539_966, transitions=146_641_415, thorough=True),
    ]

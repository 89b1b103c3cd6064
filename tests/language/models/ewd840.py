# expect: holds distinct=302 transitions=1625 depth=9
"""Termination detection with three nodes: many initial states; the counts are known from other tools."""

from enum import Enum

from checker.language import Bool, Ids, Int, Map, Model, action, anything, const, invariant, require, var


class Color(Enum):
    white = 0
    black = 1


class Ewd840(Model):
    nodes = const(3)
    Node = Ids("n", nodes)
    Position = Int(0, nodes - 1)
    active = var(Map[Node, Bool], anything)
    color = var(Map[Node, Color], anything)
    position = var(Position, anything)
    token = var(Color, Color.black)

    @action
    def initiate(self):
        require(self.position == 0 and (self.token == Color.black or self.color[self.Node[0]] == Color.black))
        self.position = self.nodes - 1
        self.token = Color.white
        self.color[self.Node[0]] = Color.white

    @action
    def pass_token(self, i: Node):
        require(i.index != 0 and self.position == i.index)
        require(not self.active[i] or self.color[i] == Color.black or self.token == Color.black)
        self.position -= 1
        if self.color[i] == Color.black:
            self.token = Color.black
        self.color[i] = Color.white

    @action
    def send(self, i: Node, j: Node):
        require(i != j and self.active[i])
        self.active[j] = True
        if j > i:
            self.color[i] = Color.black

    @action
    def deactivate(self, i: Node):
        require(self.active[i])
        self.active[i] = False

    @invariant
    def detected(self) -> bool:
        first = self.Node[0]
        done = (
            self.position == 0
            and self.token == Color.white
            and self.color[first] == Color.white
            and not self.active[first]
        )
        return not done or not any(self.active[i] for i in self.Node)

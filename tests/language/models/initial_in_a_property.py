# expect: invariant NeverBack distinct=13 transitions=13 depth=4
"""@initial in a property runs in each initial state, after the model's own method: the history of where a run began; a `return` in either ends only that method."""

from checker.language import (
    Int,
    Invariant,
    Model,
    Optional,
    action,
    anything,
    choose,
    constraint,
    initial,
    require,
    var,
)


class NeverBack(Invariant):
    """A run that began at 0 has not been at its watched number where x is 3 (false)."""

    began = var(Int(0, 3), 0)
    watched = var(Optional[Int(1, 2)])
    met = var(Int(0, 1), 0)

    @initial
    def begin(self):
        self.began = self.x
        if self.x > 0:
            return
        self.watched = choose(range(1, 3))

    def on_moved(self, x):
        if x == self.watched:
            self.met = 1

    def holds(self) -> bool:
        return self.began > 0 or self.met == 0 or self.x < 3


class InitialInAProperty(Model):
    x = var(Int(0, 3), anything)
    properties = [NeverBack]

    @initial
    def start(self):
        if self.x < 2:
            return
        self.x = 2

    @constraint
    def early(self) -> bool:
        return self.x < 4

    @action
    def step(self):
        require(self.x < 3)
        self.emit.moved(self.x + 1)
        self.x += 1

    @action
    def back(self):
        require(self.x == 3)
        self.x = 2

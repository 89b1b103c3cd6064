# expect: holds distinct=12 transitions=24 depth=1
"""@initial completes the initial states; require and choose select them."""

from checker.language import Ids, Int, Map, Model, Optional, action, anything, choose, initial, require, var


class InitialMethod(Model):
    P = Ids("p", 3)
    value = var(Map[P, Int(0, 1)], anything)
    leader = var(Optional[P])

    @initial
    def start(self):
        require(sum(self.value[p] for p in self.P) >= 1)
        self.leader = choose({p for p in self.P if self.value[p] == 1})

    @action
    def move(self):
        others = {p for p in self.P if p != self.leader}
        self.leader = choose(others)
        self.value[self.leader] = 1

# expect: holds distinct=10 transitions=16 depth=4
"""choose inside a loop: every combination is a successor."""

from checker.language import Bool, Ids, Int, Map, Model, action, choose, require, var


class ChooseInLoop(Model):
    P = Ids("p", 3)
    value = var(Map[P, Int(0, 2)], 0)
    done = var(Bool)

    @action
    def fill(self):
        require(not self.done)
        for p in self.P:
            if p != self.P[1]:
                self.value[p] = choose(range(1, 3))
        self.done = True

    @action
    def pick(self):
        require(self.done)
        p = choose({q for q in self.P if self.value[q] > 0})
        self.value[p] -= 1

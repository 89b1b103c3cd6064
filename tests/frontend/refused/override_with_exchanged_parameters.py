# refused: less(m, l) has the parameters of the base in another order
from checker.language import Ids, Int, Map, Model, action, require, rule, var


class Doors(Model):
    Door = Ids("Door", 3)
    opened = var(Map[Door, Int(0, 3)], 0)

    @action
    def enter(self, k: Door, l: Door):
        require(self.less(k, l) and self.opened[k] < 3)
        self.opened[k] += 1

    @rule
    def less(self, l: Door, m: Door):
        return self.opened[l] <= self.opened[m]


class Refusing(Doors):
    @rule
    def less(self, m, l):  # here
        return self.opened[l] < self.opened[m]

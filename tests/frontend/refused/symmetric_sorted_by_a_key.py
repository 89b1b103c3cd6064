# refused: P is symmetric

from checker.language import Ids, Int, Map, Model, Optional, Set, action, require, var


class Refusing(Model):
    P = Ids("p", 3, symmetric=True)
    done = var(Set[P])
    age = var(Map[P, Int(0, 3)], 0)
    first = var(Optional[P])

    @action
    def go(self, p: P):
        require(len(self.done) > 0)
        self.first = sorted(self.done, key=lambda q: self.age[q])[0]  # here

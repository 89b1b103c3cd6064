# refused: Set is a type, which a method cannot use

from checker.language import Ids, Int, Model, Set, action, var


class Refusing(Model):
    P = Ids("p", 3)
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        self.n = len(Set[self.P])  # here

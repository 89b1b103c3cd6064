# refused: q means different things on different paths

from checker.language import Ids, Int, Map, Model, Optional, action, var


class Refusing(Model):
    P = Ids("p", 3)
    who = var(Map[Int(0, 1), Optional[P]])

    @action
    def go(self, p: P):
        for q in self.P:
            for n in range(2):
                self.who[n] = q  # here
                q = p

# refused: q means different things on different paths

from checker.language import Ids, Int, Map, Model, Optional, Seq, action, var


class Refusing(Model):
    P = Ids("p", 3)
    log = var(Seq[P, 2])
    who = var(Map[Int(0, 1), Optional[P]])

    @action
    def go(self, p: P):
        q = p
        for n in range(2):
            self.who[n] = q  # here
            for q in self.log:
                pass

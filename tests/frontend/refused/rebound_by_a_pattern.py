# refused: q means different things on different paths

from checker.language import Ids, Int, Map, Model, Optional, Record, Union, action, anything, var


class Refusing(Model):
    P = Ids("p", 3)
    Wire = Union(Data=Record(by=P), Ack=Record())
    word = var(Wire, anything)
    who = var(Map[Int(0, 1), Optional[P]])

    @action
    def go(self, p: P):
        q = p
        for n in range(2):
            self.who[n] = q  # here
            match self.word:
                case self.Wire.Data(by=q):
                    pass
                case self.Wire.Ack():
                    pass

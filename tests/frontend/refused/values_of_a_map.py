# refused: Map[P, Int(0, 3)] has no .values(...)

from checker.language import Ids, Int, Map, Model, action, var


class Refusing(Model):
    """The method of Python's dict is named as it is called, and what to write instead."""

    P = Ids("p", 3)
    votes = var(Map[P, Int(0, 3)], 0)
    n = var(Int(0, 9), 0)

    @action
    def go(self):
        self.n = sum(v for v in self.votes.values())  # here

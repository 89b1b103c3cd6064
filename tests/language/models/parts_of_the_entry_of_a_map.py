# expect: holds distinct=4 transitions=8 depth=4

from checker.language import Int, Map, Model, Record, action, var


class Jump(Model):
    """A tuple is looked up once, before the first part of it is assigned to what it was looked up by."""

    Place = Int(0, 2)
    Pair = Record(to=Place, n=Place)
    way = var(Map[Place, Pair], (0, 0))
    at = var(Place, 0)
    n = var(Place, 0)

    @action
    def build(self):
        self.way = {i: self.Pair(to=1, n=i + 1 if i < 2 else 0) for i in self.Place}

    @action
    def jump(self):
        self.at, self.n = self.way[self.at]

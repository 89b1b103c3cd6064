# expect: holds distinct=25 transitions=30 depth=5
"""A union of many bits: each variant comes back as it was put, and what a name stands for stays when its list changes."""

from checker.language import Int, Model, Optional, Record, Seq, Set, Union, action, require, var


class WideUnions(Model):
    Wire = Union(Batch=Record(members=Set[Int(0, 150)], n=Int(0, 3)), Text=Record(words=Seq[Int(0, 200), 9]), End=Record())
    box = var(Seq[Wire, 2])
    kept = var(Optional[Wire], None)
    sum = var(Int(0, 600), 0)

    @action
    def put(self, n: Int(0, 2)):
        require(len(self.box) < 2 and self.sum == 0)
        self.box.append(self.Wire.Batch({n, 149}, 3) if n == 0 else self.Wire.Text([200, n]) if n == 1 else self.Wire.End())

    @action
    def turn(self):
        require(len(self.box) == 2 and self.kept is None)
        items = list(self.box)
        first = items[0]
        items[0] = items[1]
        items[1] = self.Wire.End()
        self.kept = first
        self.box = items

    @action
    def read(self):
        require(self.kept is not None and self.sum == 0)
        match self.kept:
            case self.Wire.Batch(members, n):
                self.sum = max(members) + n
            case self.Wire.Text(words):
                self.sum = words[0] + words[1] + len(words)
            case _:
                self.sum = 1
        self.box = []

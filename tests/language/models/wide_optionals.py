# expect: holds distinct=8 transitions=11 depth=3
"""Values of many bits that may be None: None is told from the empty one."""

from checker.language import Int, Model, Optional, Record, Seq, Set, action, require, var


class WideOptionals(Model):
    Parcel = Record(items=Seq[Int(0, 200), 9], n=Int(0, 100))
    parcel = var(Optional[Parcel], None)
    marks = var(Optional[Set[Int(0, 150)]], None)

    @action
    def pack(self, n: Int(0, 1)):
        require(self.parcel is None)
        self.parcel = self.Parcel([200, n, 0], 100)

    @action
    def mark(self):
        require(self.marks is None)
        self.marks = {149} if self.parcel is not None and self.parcel.n == 100 else set()

    @action
    def unmark(self):
        require(self.marks is not None and self.parcel is not None)
        self.marks = None
        assert self.parcel.items[0] == 200

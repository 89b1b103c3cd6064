# expect: holds distinct=50 transitions=86 depth=3
"""The order of tuples with parts that may be None: where they are not, as that of the parts.

Equal parts are not ordered, so two that are None decide nothing; the first that are unlike decide, and must be there.
"""

from checker.language import Bool, Int, Map, Model, Optional, Record, action, anything, require, rule, var


class OptionalInTuples(Model):
    N = Int(0, 2)
    Pair = Record(a=N, b=N)
    Shape = Int(0, 14)
    x = var(Optional[N], anything)
    y = var(Optional[N], anything)
    pair = var(Optional[Pair])
    last = var(Pair, (1, 1))
    held = var(Map[N, Optional[N]])
    found = var(Map[Shape, Bool], False)

    @rule
    def small(self, of: Pair) -> bool:
        return of < (1, 1)

    def less(self, left, right):
        return left < right

    @action
    def compare(self):
        x, y = self.x, self.y
        require(x is not None and y is not None)
        self.pair = self.Pair(x, y)
        self.held[0] = x
        pair, held = self.pair, self.held[0]
        self.found[0] = (x, 1) < (y, 0)
        self.found[1] = (1, x) <= (1, y)
        self.found[2] = (2, 1) > (x, 0) >= (y, 1)
        self.found[3] = ((x, 1), y) < ((y, 0), x)
        self.found[4] = self.small((x, y))
        self.found[5] = self.less((x, 1), (y, 0))
        self.found[6] = (x, 1) in {(y, 1), (0, y)} or [x, 1] == [y, 1]
        self.last = max([(x, 1), (y, 0)])
        self.found[7] = max((x, 1), (y, 0))[0] < min((x, y), (1, 1))[1]
        self.found[8] = pair is not None and (pair, 1) < ((1, 1), y)
        self.found[9] = self.last < (x, y)
        self.found[10] = held is not None and any((held, n) < (y, 1) for n in range(2))
        first, second = (x, 1), (y, 0)
        self.found[11] = first < second and (1 if (y, x) < (x, y) else 0) == 1

    @action
    def compare_parts_that_may_be_none(self):
        self.found[12] = (self.x, 1) <= (self.x, 0)
        self.found[13] = (0, self.x) < (1, self.y)
        self.found[14] = (self.x, self.y) >= (self.x, self.y)

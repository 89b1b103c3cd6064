"""The model whose methods the cases are: one variable of each type, in four states.

A case is one method of this class, or a few.  It is lowered alone and executed in four states: the collections of the
first have two items, those of the second none, those of the third as many as they can hold, those of the fourth one.
So an operand is empty, one, two and full without being written four times.
"""

from __future__ import annotations

IMPORTS = '''"""Cases of the enumeration of the language."""

from enum import Enum

from checker.language import *


class Color(Enum):
    red = 0
    green = 1
    blue = 2
'''

SINKS = """    out = var(Int(-99, 99), 0)
    outb = var(Bool, False)
    outo = var(Optional[Int(-99, 99)])
    outs = var(Set[Int(-9, 40)])
    outso = var(Set[Optional[Int(-9, 40)]])
    outps = var(Set[of('Site')])
    outq = var(Seq[Int(-99, 99), 9])
    outqo = var(Seq[Optional[Int(-99, 99)], 9])
    outqp = var(Seq[of('Site'), 9])
    outsite = var(Optional[of('Site')])
    outcolor = var(Optional[Color])
    outpair = var(Optional[of('Pair')])
    outwire = var(Optional[of('Wire')])
    outbag = var(Bag[Int(0, 9), 9])
    outm = var(Map[Int(0, 2), Int(-99, 99)], 0)
"""
"""What the values of the cases are put into."""

WATCH = f"""

class Watch(Invariant):
    \"\"\"The events of the cases.\"\"\"

{SINKS.replace("    out", "    got")}
    def holds(self) -> bool:
        return self.got == self.got
"""

CASES = f'''

class Cases(Model):
    """One method for each case."""

    num = const(2)
    yes = const(True)
    word = const("eager")
    tup = const((1, 2))
    none = const(())

    Site = Ids("p", 2)
    Small = Int(0, 3)
    Pair = Record(a=Int(0, 3), b=Int(0, 3))
    Hold = Record(x=Set[Int(0, 3)], y=Seq[Int(0, 3), 3])
    Wire = Union(Ping=Record(n=Int(0, 3)), Pong=Record(who=Site), Stop=Record())

    n = var(Int(0, 3), 1)
    z = var(Int(-2, 3), -1)
    flag = var(Bool, False)
    o = var(Optional[Int(0, 3)])
    os = var(Optional[Site])
    site = var(Site, anything)
    color = var(Color, Color.red)
    s = var(Set[Int(0, 3)])
    t = var(Set[Int(0, 5)])
    ps = var(Set[Site])
    so = var(Set[Optional[Int(0, 3)]])
    ss = var(Set[Set[Int(0, 1)]])
    sp = var(Set[Pair])
    q = var(Seq[Int(0, 3), 3])
    w = var(Seq[Int(0, 5), 3])
    qo = var(Seq[Optional[Int(0, 3)], 3])
    qq = var(Seq[Seq[Int(0, 3), 2], 2])
    qs = var(Seq[Set[Int(0, 3)], 2])
    qp = var(Seq[Pair, 2])
    qw = var(Seq[Wire, 2])
    bag = var(Bag[Int(0, 3), 3])
    m = var(Map[Int(0, 2), Int(0, 3)], 1)
    ms = var(Map[Site, Set[Int(0, 3)]])
    mq = var(Map[Site, Seq[Int(0, 3), 2]])
    mm = var(Map[Site, Map[Site, Set[Int(0, 3)]]])
    pair = var(Pair, (1, 2))
    hold = var(Hold, (set(), []))
    wire = var(Wire, anything)
{SINKS}
    @initial
    def begin(self):
        require(self.site == self.Site[0] and self.wire == self.Wire.Ping(1))

    @rule
    def number(self):
        return self.n

    @rule
    def group(self):
        return self.s

    @rule
    def line(self):
        return self.q

    @rule
    def either(self):
        if self.flag:
            return self.s
        return self.ms[self.site]

    @rule
    def made(self):
        return {1, 2}

    @rule
    def listed(self):
        return [1, 2]

    @rule
    def paired(self):
        return (1, 2)

    @rule
    def both(self, x, y):
        return x == y

    @rule
    def same(self, x):
        return x

    @rule
    def small(self, x: Int(0, 3)):
        return x

    def put(self, x, k):
        x.add(k)

    def push(self, x, k):
        x.append(k)

    def note(self, k):
        self.out = k

    def note_small(self, k: Int(0, 3)):
        self.out = k
'''

WORLDS: tuple[dict[str, str], ...] = (
    {
        "n": "1",
        "z": "-1",
        "flag": "False",
        "s": "{1, 3}",
        "t": "{1, 5}",
        "ps": "{self.Site[1]}",
        "so": "{None, 1}",
        "ss": "{frozenset(), frozenset({1})}",
        "sp": "{self.Pair(1, 2), self.Pair(0, 3)}",
        "q": "[2, 0]",
        "w": "[5, 0]",
        "qo": "[None, 1]",
        "qq": "[[1], [0, 3]]",
        "qs": "[{1, 2}, set()]",
        "qp": "[self.Pair(2, 1), self.Pair(0, 3)]",
        "qw": "[self.Wire.Ping(1), self.Wire.Pong(self.Site[0])]",
        "m": "{0: 2, 1: 0, 2: 1}",
        "pair": "self.Pair(1, 2)",
        "hold": "self.Hold({1, 2}, [3, 1])",
        "wire": "self.Wire.Ping(1)",
        "bag": "(1, 1, 3)",
        "ms": "({1, 2}, {3})",
        "mq": "([1, 0], [2])",
        "mm": "({1}, {2})",
    },
    {
        "n": "0",
        "z": "0",
        "pair": "self.Pair(0, 0)",
        "wire": "self.Wire.Stop()",
        "m": "{0: 0, 1: 0, 2: 0}",
        "hold": "self.Hold(set(), [])",
        "color": "Color.green",
    },
    {
        "n": "3",
        "z": "3",
        "flag": "True",
        "o": "3",
        "os": "self.Site[1]",
        "site": "self.Site[1]",
        "color": "Color.blue",
        "s": "{0, 1, 2, 3}",
        "t": "{0, 1, 2, 3, 4, 5}",
        "ps": "{self.Site[0], self.Site[1]}",
        "so": "{None, 0, 1, 2, 3}",
        "ss": "{frozenset(), frozenset({0}), frozenset({1}), frozenset({0, 1})}",
        "sp": "{self.Pair(3, 3)}",
        "q": "[1, 3, 3]",
        "w": "[1, 2, 4]",
        "qo": "[3, 0, 3]",
        "qq": "[[3, 3], [1, 2]]",
        "qs": "[{0, 1, 2, 3}, {3}]",
        "qp": "[self.Pair(3, 3), self.Pair(3, 3)]",
        "qw": "[self.Wire.Stop(), self.Wire.Ping(3)]",
        "m": "{0: 3, 1: 3, 2: 3}",
        "pair": "self.Pair(3, 3)",
        "hold": "self.Hold({0, 1, 2, 3}, [3, 3, 3])",
        "wire": "self.Wire.Pong(self.Site[1])",
        "bag": "(2, 2, 2)",
        "ms": "({0, 1, 2, 3}, {0, 1, 2, 3})",
        "mq": "([3, 3], [0, 1])",
        "mm": "({0, 1, 2, 3}, {0})",
    },
    {
        "n": "2",
        "z": "-2",
        "flag": "True",
        "o": "1",
        "os": "self.Site[0]",
        "s": "{2}",
        "t": "{4}",
        "so": "{2}",
        "ss": "{frozenset({0})}",
        "sp": "{self.Pair(1, 2)}",
        "q": "[1]",
        "w": "[2]",
        "qo": "[None]",
        "qq": "[[2, 0]]",
        "qs": "[{1}]",
        "qp": "[self.Pair(1, 2)]",
        "qw": "[self.Wire.Pong(self.Site[1])]",
        "m": "{0: 1, 1: 2, 2: 3}",
        "pair": "self.Pair(2, 1)",
        "hold": "self.Hold({3}, [0])",
        "wire": "self.Wire.Ping(3)",
        "bag": "(0,)",
        "ms": "({2}, {2})",
        "mq": "([1], [])",
        "mm": "({2}, {1, 3})",
    },
)
"""Four states: variables by name, as Python text; others as they start.  For a bag: its items; for a map of sites: the
values of p1 and p2."""

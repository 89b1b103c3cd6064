# expect: holds distinct=23 transitions=512 depth=2
"""Actions with parameters of every enumerable type."""

from enum import Enum

from checker.language import (
    Bool,
    Ids,
    Int,
    Map,
    Model,
    Optional,
    Record,
    Set,
    Union,
    action,
    require,
    var,
)


class Mode(Enum):
    on = "on"
    off = "off"


class ParametersOfEveryType(Model):
    P = Ids("p", 2)
    Pair = Record(a=P, b=Bool)
    Either = Union(Left=Record(p=P), Right=Record(m=Mode))
    n = var(Int(0, 63), 0)

    @action
    def go(self, pair: Pair, who: Optional[P], m: Mode, e: Either, some: Set[P], f: Map[P, Bool]):
        require(self.n == 0 and (pair.b or who is None) and m != Mode.off)
        k = 0 if who is None else 1 + who.index
        if isinstance(e, self.Either.Left):
            k += 2 if e.p == pair.a else 3
        self.n = k + 4 * len(some) + 8 * f[pair.a] + 16 * (m == Mode.on)

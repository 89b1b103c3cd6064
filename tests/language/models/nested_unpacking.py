# expect: holds distinct=13 transitions=12 depth=4
"""Names of a tuple in a tuple in a tuple; a sum over two generators counts each pair."""

from checker.language import (
    Bool,
    Int,
    Map,
    Model,
    Record,
    Seq,
    Set,
    Union,
    action,
    invariant,
    quiescent,
    require,
    rule,
    var,
)


class NestedUnpacking(Model):
    Wire = Union(Data=Record(n=Int(0, 9)), Ack=Record())
    weights = var(Map[Int(0, 3), Int(0, 9)], {0: 4, 1: 9, 2: 0, 3: 7})
    some = var(Set[Int(0, 2)])
    total = var(Int(0, 99), 0)
    sent = var(Seq[Wire, 1])
    ended = var(Bool, False)

    @action
    def unpack(self):
        require(self.total == 0)
        a, (b, (c, d)) = (1, (2, (3, self.weights[1])))
        self.total = a + 10 * b + 2 * c + d

    @action
    def count(self, n: Int(0, 2)):
        require(self.total == 0)
        self.some.add(n)
        self.total = sum(a for a in (1, 2) for _ in self.some)

    @action
    def answer(self):
        require(self.total > 0 and len(self.sent) == 0)
        self.sent.append(self.Wire.Data(self.weights[2] + 1) if self.total < 9 else self.Wire.Ack())

    @action
    def end(self):
        require(len(self.sent) == 1 and not self.ended)
        self.weights[0] = self.content(self.sent[0])
        self.ended = True

    @rule
    def content(self, w: Wire) -> int:
        match w:
            case self.Wire.Data(n):
                return n
            case self.Wire.Ack():
                return 9

    @quiescent
    def over(self) -> bool:
        return self.ended

    @invariant
    def weighed(self) -> bool:
        return self.weights[1] == 9 and self.weights[2] == 0 and self.weights[3] == 7 and (self.weights[0] == 4 or self.over())

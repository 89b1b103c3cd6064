# expect: holds distinct=88 transitions=160 depth=6
"""A type that an edit declares anew is the new one everywhere: in inherited variables, records, parameters, handlers; it may be made of the old one."""

from checker.language import (
    Distributed,
    Int,
    Map,
    Network,
    Optional,
    Process,
    Record,
    Union,
    action,
    const,
    invariant,
    on,
    require,
    var,
)


class Base(Distributed):
    processes = const(2)
    Value = Int(0, 1)
    Wire = Union(Write=Record(v=Value))
    net = var(Network[Process, Wire])
    x = var(Map[Process, Value], 0)

    @action
    def write(self, p: Process, v: Value):
        require(len(self.net) == 0)
        self.net.send(p, self.Process[0], self.Wire.Write(v))

    @on(net, Wire.Write)
    def store(self, p, q, v):
        self.x[p] = v


class Wider(Base):
    """EDIT: three values, and a second message."""

    Value = Int(0, 2)
    Wire = Union(Write=Record(v=Value), Clear=Record())

    @action
    def clear(self, p: Process):
        require(len(self.net) == 0)
        self.net.send(p, self.Process[1], self.Wire.Clear())

    @on(Base.net, Wire.Clear)
    def empty(self, p, q):
        self.x[p] = 2


class OverriddenTypes(Wider):
    """EDIT: or none."""

    Value = Optional[Wider.Value]

    @on(Base.net, Wider.Wire.Clear)
    def empty(self, p, q):
        self.x[p] = None

    @invariant
    def only_the_first_is_written(self):
        return self.x[self.Process[1]] is None or self.x[self.Process[1]] == 0

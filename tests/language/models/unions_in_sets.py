# expect: holds distinct=112 transitions=416 depth=11
"""Union values in sets, maps and comparisons."""

from checker.language import (
    Ids,
    Int,
    Model,
    Optional,
    Record,
    Set,
    Union,
    action,
    choose,
    invariant,
    require,
    var,
)


class UnionsInSets(Model):
    P = Ids("p", 2)
    Msg = Union(Ask=Record(by=P), Tell=Record(by=P, n=Int(0, 1)))
    sent = var(Set[Msg])
    last = var(Optional[Msg])

    @action
    def ask(self, p: P):
        require(self.Msg.Ask(p) not in self.sent)
        self.sent.add(self.Msg.Ask(p))

    @action
    def tell(self, n: Int(0, 1)):
        w = choose(self.sent)
        require(isinstance(w, self.Msg.Ask))
        self.sent.remove(w)
        self.sent.add(self.Msg.Tell(w.by, n))
        self.last = w

    @action
    def forget(self):
        require(self.last is not None and any(isinstance(w, self.Msg.Tell) and w.n == 1 for w in self.sent))
        self.sent = {w for w in self.sent if not (isinstance(w, self.Msg.Tell) and w.n == 1)}
        self.last = None

    @invariant
    def bys(self) -> bool:
        return len({w.by for w in self.sent}) <= 2 and (
            self.last is None or self.last == self.Msg.Ask(self.last.by)
        )

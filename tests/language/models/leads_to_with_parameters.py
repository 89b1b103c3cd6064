# expect: holds distinct=6 transitions=24 depth=2
"""A leads-to with parameters: each value is a leads-to of its own, here of two types; `when` or `then` may do without."""

from checker.language import Bool, Ids, Int, LeadsTo, Map, Model, action, anything, of, var


class Served(LeadsTo):
    """Who asks is served."""

    def when(self, p: of("P"), often: Bool) -> bool:
        return self.asks[p] and (not often or self.served != p)

    def then(self, p: of("P")) -> bool:
        return self.served == p or not self.asks[p]

    def explain(self, p, often) -> str:
        return f"{p} asks and is not served."


class Again(LeadsTo):
    """Everybody's turn comes again and again."""

    def then(self, n: Int(0, 2)) -> bool:
        return self.served.index == n


class Some(LeadsTo):
    """Whoever is served, somebody asks later."""

    def when(self, p: of("P")) -> bool:
        return self.served == p

    def then(self) -> bool:
        return any(self.asks[p] for p in self.P) or True


class LeadsToWithParameters(Model):
    P = Ids("p", 3)
    asks = var(Map[P, Bool])
    served = var(P, anything)
    properties = [Served, Again, Some]

    @action
    def ask(self, p: P):
        if not self.asks[p] and p == self.P[0]:
            self.asks[p] = True

    @action
    def serve(self):
        self.served = self.P[(self.served.index + 1) % 3]
        self.asks[self.served] = False

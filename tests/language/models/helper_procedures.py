# expect: holds distinct=27 transitions=54 depth=7
"""Procedures change the state, call each other, and return early."""

from checker.language import Ids, Int, Map, Model, Seq, action, var


class HelperProcedures(Model):
    P = Ids("p", 2)
    n = var(Map[P, Int(0, 3)], 0)
    log = var(Seq[P, 3])

    @action
    def step(self, p: P):
        self.bump(p)

    def bump(self, p):
        if self.n[p] == 3:
            self.note(p)
            return
        self.n[p] += 1
        self.note(q=self.other(p))

    def note(self, q):
        if q in self.log:
            return
        self.log.append(q)

    def other(self, p):
        return self.P[1 - p.index]

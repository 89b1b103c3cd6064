# expect: error 27 distinct=4 transitions=12 depth=3
"""Procedures with early returns, inlined in loops, breaks around them."""

from checker.language import Ids, Int, Map, Model, Seq, action, var


class ProceduresInLoops(Model):
    P = Ids("p", 3)
    n = var(Map[P, Int(0, 3)], 0)
    log = var(Seq[P, 4])

    @action
    def sweep(self, least: Int(0, 2)):
        for p in self.P:
            self.bump(p, least)
            if len(self.log) == 4:
                break
            self.bump(p, least + 1)

    def bump(self, p, least):
        for q in self.P:
            if self.n[q] > least + 1:
                return
            if q == p:
                continue
            if self.n[q] == least:
                self.n[q] += 1
                if len(self.log) < 4:
                    self.log.append(q)
                return
        self.log.clear()

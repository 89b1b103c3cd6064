# expect: holds distinct=120 transitions=480 depth=2
"""A list as a queue of work, local to one step."""

from checker.language import Ids, Map, Model, Set, action, anything, initial, require, var


class WorkList(Model):
    P = Ids("p", 4)
    next = var(Map[P, P], anything)
    reached = var(Set[P])

    @initial
    def few(self):
        require(all(self.next[p] >= p for p in self.P))

    @action
    def walk(self, p: P):
        pending = [p]
        seen = set()
        while pending:
            q = pending.pop(0)
            if q in seen:
                continue
            seen.add(q)
            pending.append(self.next[q])
        self.reached = seen

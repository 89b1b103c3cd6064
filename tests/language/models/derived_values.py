# expect: holds distinct=3 transitions=10 depth=3
"""Values derived from constants and from one another, in types and in methods; an edit that redefines one changes what depends on it."""

from checker.language import Distributed, Int, Process, action, const, derived, invariant, require, var


class Base(Distributed):
    processes = const(5)
    quorum = derived(lambda c: c.half + 1)
    half = derived(lambda c: c.processes // 2)
    votes = var(Int(0, quorum), 0)

    @action
    def vote(self, p: Process):
        require(self.votes < self.quorum)
        self.votes += 1

    @invariant
    def bounded(self):
        return self.votes <= self.half + 1


class DerivedValues(Base):
    """EDIT: a third is enough."""

    half = derived(lambda c: c.processes // 3)

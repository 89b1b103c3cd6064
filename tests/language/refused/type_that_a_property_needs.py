# refused: a property refers to the type Msg, which A does not declare

from checker.language import action, Bool, Distributed, holds, Invariant, of, Process, Set, var


class Seen(Invariant):
    seen = var(Set[of("Msg")])  # here
    def holds(self): return len(self.seen) < 9
class A(Distributed):
    x = var(Bool)
    properties = [Seen]
    @action
    def go(self, p: Process): self.x = True

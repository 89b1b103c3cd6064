# expect: holds distinct=375 transitions=1500 depth=12
"""A type stands for the set of its members beside a set operator, on either side."""

from checker.language import (
    Distributed,
    Int,
    Map,
    Process,
    Set,
    action,
    choose,
    const,
    invariant,
    require,
    var,
)


class TypesAsSets(Distributed):
    processes = const(3)
    Level = Int(1, 4)
    asked = var(Map[Process, Set[Process]])
    levels = var(Set[Level])

    @action
    def ask(self, p: Process):
        require(not self.asked[p])
        self.asked[p] = self.Process - {p}

    @action
    def ask_one(self, p: Process):
        q = choose((self.Process - {p}) & self.asked[p])
        self.asked[p] = {p} | self.asked[p] - {q}
        require(self.asked[p] & self.Process == self.asked[p])

    @action
    def fill(self):
        self.levels = self.Level - {2} if 2 in self.levels else self.Level ^ {1}

    @invariant
    def known(self):
        return all(q in self.Process | self.asked[p] for p in self.Process for q in self.asked[p]) and len(self.levels - self.Level) == 0

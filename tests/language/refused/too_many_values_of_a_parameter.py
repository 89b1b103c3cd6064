# refused: which cannot be enumerated, or has more than

from checker.language import action, Distributed, Map, Process, Set, var


class A(Distributed):
    x = var(Map[Process, Set[Process]])
    @action
    def go(self, p: Process, m: Map[Process, Map[Process, Set[Process]]]):  # here
        self.x[p] = {p}

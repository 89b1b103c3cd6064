# expect: holds distinct=441 transitions=1442 depth=8
"""Sequences of sequences and of sets are values: replaced as a whole."""

from checker.language import Ids, Int, Map, Model, Seq, Set, action, require, var


class SequencesOfCollections(Model):
    P = Ids("p", 2)
    log = var(Seq[Set[P], 2])
    runs = var(Map[P, Seq[Seq[Int(0, 1), 2], 2]])

    @action
    def note(self, p: P):
        require(len(self.log) < 2)
        self.log.append({q for q in self.P if q >= p})

    @action
    def replace(self, p: P):
        require(len(self.log) == 2 and self.log[0] != self.log[1])
        self.log[0] = self.log[0] | {p}
        self.log[1] = self.log[0] - {p}

    @action
    def run(self, p: P, x: Int(0, 1)):
        require(len(self.runs[p]) == 0 or len(self.runs[p][-1]) == 1)
        if len(self.runs[p]) == 0:
            self.runs[p].append([x])
        else:
            require(len(self.runs[p]) < 2)
            last = self.runs[p].pop()
            self.runs[p].append(last + [x])

# expect: holds distinct=420 transitions=1240 depth=9
"""match with bindings inside a loop, with continue and break; records and tuples as patterns."""

from checker.language import Ids, Int, Model, Record, Seq, Union, action, invariant, require, var


class MatchInLoops(Model):
    P = Ids("p", 2)
    Cmd = Union(Add=Record(k=Int(1, 2)), Skip=Record(), Stop=Record())
    At = Record(x=Int(0, 1), y=Int(0, 1))
    program = var(Seq[Cmd, 2])
    n = var(Int(0, 4), 0)
    at = var(At, (0, 0))

    @action
    def write(self, k: Int(0, 3)):
        require(len(self.program) < 2)
        if k == 0:
            self.program.append(self.Cmd.Skip())
        elif k < 3:
            self.program.append(self.Cmd.Add(k))
        else:
            self.program.append(self.Cmd.Stop())

    @action
    def run(self):
        self.n = 0
        for c in self.program:
            match c:
                case self.Cmd.Add(k):
                    self.n += k
                case self.Cmd.Skip():
                    continue
                case self.Cmd.Stop():
                    break
        self.program.clear()

    @action
    def move(self):
        match self.at:
            case (0, y):
                self.at = (1, y)
            case (1, 0):
                self.at = self.At(0, 1)

    @invariant
    def small(self) -> bool:
        return self.n <= 4 and self.kind() < 2

    def kind(self):
        if len(self.program) == 0:
            return 0
        match self.program[0]:
            case self.Cmd.Add():
                return 1
            case self.Cmd.Skip() | self.Cmd.Stop():
                return 0

# refused: x.append(3) changes a value that may belong to something else

from checker.language import Int, Model, Seq, action, invariant, require, var


class Refusing(Model):
    """What a tuple holds is the collection itself, also where another part of it may fail."""
    q = var(Seq[Int(0, 3), 3], [1])
    r = var(Seq[Int(0, 3), 3], [2])

    @action
    def step(self):
        require(len(self.r) == 1)
        x = (self.q[0], self.r)[1]
        x.append(3)  # here

    @invariant
    def one(self) -> bool:
        return len(self.r) == 1

# refused: `c + d` is not in the language for a list and a tuple

from checker.language import Int, Model, Seq, action, const, invariant, require, var


class Refusing(Model):
    """list + tuple fails in Python."""
    goal = const((1, 2), "goal")
    q = var(Seq[Int(0, 3), 3])

    @action
    def step(self):
        require(len(self.q) == 0)
        self.q = [3] + self.goal  # here

    @invariant
    def fine(self) -> bool:
        return len(self.q) < 4

# refused: `c == d` is not in the language for a list and a tuple

from checker.language import Int, Model, Seq, action, const, invariant, require, var


class Refusing(Model):
    """A tuple never equals a list."""
    goal = const((1, 2), "goal")
    q = var(Seq[Int(0, 3), 3])

    @action
    def step(self):
        require(len(self.q) < 2)
        self.q.append(len(self.q) + 1)

    @invariant
    def not_reached(self) -> bool:
        return len(self.q) < 2 or self.q[:2] == self.goal  # here

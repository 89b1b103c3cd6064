# refused: {9, 1, 17} is a set made here, and its items may have equal keys

from checker.language import Int, Model, action, invariant, require, var


class Refusing(Model):
    """Python walks a set of its own in the order of hashes; min, max and sorted take the first of equals."""
    n = var(Int(0, 40), 0)

    @action
    def step(self):
        require(self.n == 0)
        self.n = min({9, 1, 17}, key=lambda z: z % 8)  # here

    @invariant
    def fine(self) -> bool:
        return self.n != 9

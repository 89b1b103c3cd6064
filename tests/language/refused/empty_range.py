# refused: A.x: Int(0, -2) is empty

from checker.language import action, const, Distributed, Int, Process, var


class A(Distributed):
    n = const(3)
    x = var(Int(0, n - 5), 0)  # here
    @action
    def go(self, p: Process): self.x = 0

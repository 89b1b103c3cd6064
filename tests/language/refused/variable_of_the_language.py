# refused: A.crashed: the variable belongs to Distributed

from checker.language import action, Bool, Distributed, Process, var


class A(Distributed):
    crashed = var(Bool)  # here
    @action
    def go(self, p: Process): self.crashed = True

# refused: constant channels of A cannot be 'fifoo'

from checker.language import action, Bool, const, Distributed, Process, var


class A(Distributed):
    channels = const("fifoo")  # here
    x = var(Bool)
    @action
    def go(self, p: Process): self.x = True

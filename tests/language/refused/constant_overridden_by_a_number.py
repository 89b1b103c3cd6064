# refused: A.processes: a constant of Distributed is overridden by something else

from checker.language import action, Distributed, Int, Process, var


class A(Distributed):
    x = var(Int(0, 3), 0)
    processes = 2  # here
    @action
    def go(self, p: Process):
        self.x = 1

# refused: A has two @initial methods, start and start2

from checker.language import action, Distributed, initial, Int, Process, var


class A(Distributed):
    x = var(Int(0, 3), 0)
    @initial
    def start(self):
        self.x = 1
    @initial
    def start2(self):  # here
        self.x = 2
    @action
    def go(self, p: Process):
        self.x = 1

# refused: the @initial method goes wrong: 7 is out of range

from checker.language import action, Distributed, initial, Int, Process, var


class A(Distributed):
    x = var(Int(0, 3), 0)
    @initial
    def start(self):
        self.x = 7  # here
    @action
    def go(self, p: Process):
        self.x = 1

# refused: p1 is not defined

from checker.language import Bool, Distributed, Process, action, require, var


class Refusing(Distributed):
    done = var(Bool)

    @action
    def finish(self, p: Process):
        require(p == p1)  # here
        self.done = True

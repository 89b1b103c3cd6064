# refused: Process is a type, which a method cannot use

from checker.language import Bool, Distributed, Process, action, var


class Refusing(Distributed):
    done = var(Bool)

    @action
    def finish(self, p: Process):
        self.done = len(Process) > 2  # here

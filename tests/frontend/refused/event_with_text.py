# refused: an event has no text

from checker.language import Bool, Distributed, Process, action, var


class Refusing(Distributed):
    done = var(Bool)

    @action
    def finish(self, p: Process):
        self.emit.note(p, "done")  # here

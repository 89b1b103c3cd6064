# refused: the initial value of Edited.status does not fit its type Status

from enum import Enum

from checker.language import Model, action, var


class _Base(Model):
    class Status(Enum):
        idle = 0
        busy = 1

    status = var(Status, Status.idle)  # here

    @action
    def start(self):
        self.status = self.Status.busy


class Edited(_Base):
    class Status(Enum):
        idle = 0
        busy = 1
        broken = 2

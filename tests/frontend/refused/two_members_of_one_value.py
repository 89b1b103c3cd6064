# refused: Status has no member busy

from enum import Enum

from checker.language import Model, action, var


class Status(Enum):
    idle = 0
    busy = 0


class Refusing(Model):
    status = var(Status, Status.idle)

    @action
    def start(self):
        self.status = Status.busy  # here

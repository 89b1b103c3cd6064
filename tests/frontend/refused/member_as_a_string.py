# refused: a string is used as a value

from enum import Enum

from checker.language import Model, action, require, var


class Status(Enum):
    idle = 0
    busy = 1


class Refusing(Model):
    status = var(Status, Status.idle)

    @action
    def start(self):
        require(self.status == "idle")  # here
        self.status = Status.busy

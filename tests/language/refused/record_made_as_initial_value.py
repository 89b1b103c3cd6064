# refused: a value of Record cannot be made in the class body

from __future__ import annotations

from checker.language import Bool, Model, Record, var


class A(Model):
    Ack = Record(yes=Bool)
    last = var(Ack, Ack(True))  # here

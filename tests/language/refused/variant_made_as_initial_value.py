# refused: a value of Union.Ack cannot be made in the class body

from __future__ import annotations

from checker.language import Bool, Model, Record, Union, var


class A(Model):
    Wire = Union(Ack=Record(yes=Bool), Nack=Record())
    last = var(Wire, Wire.Ack(True))  # here

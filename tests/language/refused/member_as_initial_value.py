# refused: the members of Process are not known in the class body

from __future__ import annotations

from checker.language import Distributed, Process, var


class A(Distributed):
    holder = var(Process, Process[0])  # here

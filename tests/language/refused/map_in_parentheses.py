# refused: Map(...) is written with brackets

from __future__ import annotations

from checker.language import Bool, Distributed, Map, Process, var


class A(Distributed):
    n = var(Map(Process, Bool))  # here

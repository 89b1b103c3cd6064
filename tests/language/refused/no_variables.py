# refused: A has no state variables

from __future__ import annotations

from checker.language import Model


class A(Model):  # here
    pass

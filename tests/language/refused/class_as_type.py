# refused: A.Stamp: a class in the class body is no type of a model

from dataclasses import dataclass

from checker.language import Int, Model, action, var


class A(Model):
    @dataclass
    class Stamp:  # here
        time: int

    n = var(Int(0, 3), 0)

    @action
    def up(self):
        self.n = 1

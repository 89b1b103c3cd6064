# refused: is a constant of the class, which has no value outside it
from checker.language import Distributed, Int, action, var
from checker.language.distributed import losses as lossy


class Refusing(Distributed):
    n = var(Int(0, 3), 0)

    @action
    def go(self):
        self.n = 1 if lossy == 0 else 2  # here

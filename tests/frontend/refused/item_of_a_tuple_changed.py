# refused: changes a value that may belong to something else

from checker.language import Int, Model, Set, action, var


class Refusing(Model):
    n = var(Int(0, 3), 1)
    seen = var(Set[Int(0, 3)])

    @action
    def go(self):
        s = (self.seen, 3 // self.n)[
            0
        ]  # which may fail, and is self.seen if it does not
        s.add(2)  # here

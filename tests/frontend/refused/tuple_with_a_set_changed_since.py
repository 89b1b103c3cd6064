# refused: pair may be a collection that was changed since it got this name

from checker.language import Int, Model, Set, action, var


class Refusing(Model):
    n = var(Int(0, 3), 1)
    seen = var(Set[Int(0, 3)])

    @action
    def go(self):
        pair = (self.seen, 1)
        self.seen.add(2)
        self.n = len(pair[0])  # here

# refused: the type P has two members of the same name

from checker.language import action, Ids, Model, Set, var


class A(Model):
    P = Ids("p", ["a", "a"])  # here
    x = var(Set[P])
    @action
    def go(self, p: P): self.x.add(p)

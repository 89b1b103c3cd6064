# expect: holds distinct=2 transitions=2 depth=2
"""A type is given to a rule, which ranges over its values."""

from checker.language import Int, Model, Set, action, rule, var


class TypesAsArguments(Model):
    Site = Int(0, 2)
    n = var(Int(0, 3), 0)
    s = var(Set[Site], {0, 2})

    @rule
    def among(self, kind) -> Int(0, 3):
        return sum(1 for x in kind if x in self.s)

    @action
    def go(self):
        self.n = self.among(self.Site)
        assert self.n == 2

# expect: invariant Small distinct=4 transitions=3 depth=4
"""In a property, self has the property's own attributes, types and derived values, and everything of the model; its parts may have names that the model has too."""

from checker.language import Int, Invariant, Model, action, const, derived, require, rule, var


class Small(Invariant):
    LIMIT = 2
    bound = 1
    more = derived(lambda c: c.most + 1)
    Number = Int(0, 1)

    def holds(self) -> bool:
        return self.y < self.LIMIT and self.bound == 1 and self.more == 6 and len(self.Number) == 2 and self.then()

    def explain(self) -> str:
        return "y is not small."


class Attributes(Model):
    MOST = 5
    most = const(5, "")
    y = var(Int(0, 3), 0)
    properties = [Small]

    @rule
    def explain(self):
        return self.MOST - 2

    @rule
    def then(self):
        return self.most == 5

    @action
    def go(self):
        require(self.y < self.explain())
        self.y += 1

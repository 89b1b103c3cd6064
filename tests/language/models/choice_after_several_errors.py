# expect: error 16 distinct=1 transitions=1 depth=1
"""Of what stands before a choice in its statement, the first error is the one that shows, however deep the choice is."""

from checker.language import Ids, Int, Map, Model, Optional, action, choose, rule, var


class ChoiceAfterSeveralErrors(Model):
    Site = Ids("p", 2)
    first = var(Int(0, 3), 1)
    second = var(Int(0, 3), 1)
    held = var(Map[Site, Map[Site, Int(0, 3)]], 1)
    owner = var(Optional[Site], None)

    @rule
    def quotient(self, x, y):
        return x // y

    @action
    def act(self):
        self.first, self.second = self.quotient(0, self.first - 1), self.held[self.owner][choose(self.Site)]

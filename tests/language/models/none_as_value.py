# expect: error 14 distinct=1 transitions=1 depth=1
"""Using None as a value is a model error."""

from checker.language import Ids, Int, Map, Model, Optional, action, var


class NoneAsValue(Model):
    P = Ids("p", 2)
    who = var(Optional[P])
    n = var(Map[P, Int(0, 1)], 0)

    @action
    def count(self):
        self.n[self.who] = 1

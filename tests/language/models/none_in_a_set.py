# expect: holds distinct=2 transitions=2 depth=2

from checker.language import Ids, Model, Optional, Set, action, var


class M(Model):
    """None into a Set of optionals."""
    P = Ids("p", 3)
    so = var(Set[Optional[P]])

    @action
    def step(self):
        self.so.add(None)

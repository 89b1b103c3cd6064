"""The traffic lights of a crossing: a road turns green only while no road is green."""

from checker.language import Ids, Model, Set, action, holds, invariant, require, var, violates


class Lights(Model):
    """At most one road is green."""

    Road = Ids("r", 2)
    green = var(Set[Road])

    @action
    def turn_green(self, r: Road):
        require(not self.green)
        self.green.add(r)

    @action
    def turn_red(self, r: Road):
        require(r in self.green)
        self.green.remove(r)

    @invariant
    def one_at_a_time(self):
        return len(self.green) <= 1

    expect = holds()


class Unguarded(Lights):
    """EDIT: a road turns green whatever the other one shows."""

    def turn_green(self, r):
        require(r not in self.green)
        self.green.add(r)

    expect = violates("one_at_a_time", steps=2)

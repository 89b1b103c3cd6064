"""A comparison of something with itself is no reason."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Ids, Int, Model, Seq, action, invariant, require, rule, var


class _Items(Model):
    """What has the greatest stamp is taken, though the first should be."""

    Item = Ids("m", 2)
    taken = var(Seq[Item, 2])

    @rule
    def stamp(self, m: Item) -> Int(0, 2):
        """The later an item, the greater its stamp."""
        return m.index + 1

    @action
    def take(self, m: Item):
        require(len(self.taken) == 0 and self.is_greatest(m))
        self.taken.append(m)

    @rule
    def is_greatest(self, m: Item) -> bool:
        """No stamp is greater than that of m."""
        raise NotImplementedError

    @invariant
    def first(self) -> bool:
        """The first is taken."""
        return all(m == self.Item[0] for m in self.taken)


class Latest(_Items):
    """Stamps are compared."""

    @rule
    def is_greatest(self, m):
        return all(self.stamp(x) <= self.stamp(m) for x in self.Item)


class ByRule(_Items):
    """The same, with a rule of two items."""

    @rule
    def is_before(self, a: _Items.Item, b: _Items.Item) -> bool:
        """a has a greater stamp than b."""
        return self.stamp(a) > self.stamp(b)

    @rule
    def is_greatest(self, m):
        return not any(self.is_before(x, m) for x in self.Item)


class Local(_Items):
    """The stamp of one side has a name, so that the two sides are written in two ways."""

    @rule
    def weight(self, m: _Items.Item, t: Int(0, 2)) -> Int(0, 2):
        """The stamp itself."""
        return t

    @rule
    def is_greatest(self, m):
        t = self.stamp(m)
        return all(self.weight(x, self.stamp(x)) <= self.weight(m, t) for x in self.Item)


class Alone(_Items):
    """Only what is taken is compared."""

    @rule
    def is_greatest(self, m):
        return m == self.Item[1] and all(self.stamp(x) <= self.stamp(m) for x in self.Item if x == m)


def line(cls: type[Model], name: str = "is_greatest", number: int = 2) -> str:
    """A line of a method, counted from its decorator."""
    return f"(test_itself.py:{vars(cls)[name].__code__.co_firstlineno + number})"


def decides(cls: type[Model]) -> str:
    """What the last step does, with the condition."""
    report = check(cls, cls.__name__, {}, engine="interpreter")
    return next(p.trace.decides for p in report.properties if p.trace is not None)


def test_the_others_are_compared() -> None:
    assert f" is true {line(Latest)}: for x = m1: stamp(m1) = 1 is <= stamp(m2) = 2 (test" in decides(Latest)
    assert f" is true {line(ByRule)}: for x = m1: is_before(m1, m2) is false (test" in decides(ByRule)
    assert ": for x = m1: weight(m1, 1) = 1 is <= weight(m2, 2) = 2 (test" in decides(Local)


def test_it_is_said_that_there_is_no_other() -> None:
    assert (
        f" is true {line(Alone)}: m and self.Item[1] are both m2 and there is nothing in Item but m2 (test"
        in decides(Alone)
    )

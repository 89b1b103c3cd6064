"""Sets of more possible members than a word has bits, as one of several variants of a union."""

from __future__ import annotations

from checker.analysis.check import check
from checker.language import Ids, Model, Record, Seq, Set, Union, action, require, var
from checker.language.model import invariant

MEMBERS = (1, 34, 35, 68)


class Shared(Model):
    """The variants of a union share memory: their sets have masks of 35 and of 40 members."""

    Small = Ids("x", 69)
    Large = Ids("y", 80)
    Either = Union(One=Record(of=Set[Small]), Other=Record(of=Set[Large]))
    held = var(Set[Small])
    copies = var(Seq[Either, 2])

    @action
    def put(self, x: Small) -> None:  # type: ignore[valid-type]
        require(x.index in (1, 34, 35, 68) and x not in self.held)
        self.held.add(x)

    @action
    def copy(self) -> None:
        require(len(self.copies) < 2)
        self.copies.append(self.Either.One(self.held))

    @invariant
    def two_copies_at_most(self) -> bool:
        return len(self.copies) <= 2


def reachable() -> set[tuple[frozenset[int], tuple[frozenset[int], ...]]]:
    """The states, by the rules of the model in plain Python."""
    found, left = set(), [(frozenset[int](), tuple[frozenset[int], ...]())]
    while left:
        state = held, copies = left.pop()
        if state not in found:
            found.add(state)
            left += [(held | {x}, copies) for x in MEMBERS]
            left += [(held, (*copies, held))] if len(copies) < 2 else []
    return found


def test_a_set_is_copied_into_a_variant_that_shares_its_memory() -> None:
    """Each member keeps its place; `check` compares the successors with those of the interpreter."""
    assert check(Shared, "Shared").distinct == len(reachable())

"""A lowered model reads like the text it came from."""

from __future__ import annotations

from checker.frontend.lower import lower
from checker.ir import show
from checker.language import Ids, Int, Map, Model, Set, action, invariant, require, rule, var
from checker.language.define import define


class Shown(Model):
    """A model small enough to be read at a glance."""

    P = Ids("p", 2)
    held = var(Map[P, Set[Int(0, 2)]])

    @rule
    def room(self, p: P) -> bool:  # type: ignore[valid-type]
        """p has room."""
        return len(self.held[p]) < 2

    @action
    def put(self, p: P, x: Int(0, 2)):  # type: ignore
        """p takes x."""
        require(self.room(p) and x not in self.held[p])
        mine = self.held[p]
        mine.add(x)

    @invariant
    def bounded(self) -> bool:
        """Nobody holds three."""
        return all(len(self.held[p]) < 3 for p in self.P)


EXPECTED = """model Shown

var held: Map[P, Set[0..2]]

function room(p: P) -> Bool
    return (length(held[%p]) < 2)

function bounded() -> Bool
    return all((length(held[%p]) < 3) for %p in all P)

action initial()
    held := everywhere({})

action put(p: P, x: 0..2)
    require room(%p)
    require not (%x in held[%p])
    held[%p] += %x

invariant bounded = bounded()
"""


def test_a_lowered_model_is_shown_as_text() -> None:
    """Rules stay functions, guards are split at `and`, a local name for a place is the place."""
    assert show.model(lower(define(Shown))) == EXPECTED

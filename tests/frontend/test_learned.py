"""The last round of lowering a body needs no confirmation: it has used nothing that grew afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from checker.catalogue import shipped
from checker.frontend import lower
from checker.frontend.learned import Learned
from checker.frontend.lower import noted
from checker.frontend.refusal import Refused
from checker.frontend.scope import Body
from checker.language import Int, Set, action, var
from checker.language import Model as Protocol
from checker.language.define import define
from tests.language.construct import FILES, definition

Round = Callable[[], None]


@contextmanager
def every_last_round_repeated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Within this, each body is lowered once more after its last round; gives the bodies where this made a difference
    or a further round learned something.  No model is kept from an earlier test.
    """
    rounds, finished = Body.rounds, Body._finished
    lowering, differing = dict[Body, Round](), list[str]()

    def known(body: Body) -> Any:
        recorded = body.ranged_over, body.compared, list(body.declared), list(body.labels)
        return body.out, *recorded, body.touching, *(dict(each._known) for each in body._learned())

    def repeated(body: Body, lower: Round) -> Any:
        lowering[body] = lower
        return rounds(body, lower)

    def compared(body: Body) -> Any:
        before = known(body)
        body._begin()
        lowering[body]()
        if known(body) != before:
            differing.append(str([frame.source.node.name for frame in body.frames]))
        return finished(body)

    with monkeypatch.context() as patched:
        patched.setattr(lower, "_model", getattr(lower._model, "own", lower._model))
        patched.setattr(Body, "rounds", repeated)
        patched.setattr(Body, "_finished", compared)
        yield differing
    assert lowering


@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_another_round_of_a_construct_changes_nothing(file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements, recorded domains and comparisons, and all that was learned are those of the last round."""
    with every_last_round_repeated(monkeypatch) as differing:
        noted(definition(file))
    assert not differing


def test_another_round_of_a_shipped_model_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fourth model and edit, with its defaults."""
    with every_last_round_repeated(monkeypatch) as differing:
        for entry in shipped().entries[::4]:
            noted(define(entry.cls))
    assert not differing


def rounds_of(cls: type[Protocol], monkeypatch: pytest.MonkeyPatch) -> int:
    """How many rounds the action `step` takes."""
    begun, begin = list[str](), Body._begin

    def counted(body: Body) -> None:
        begun.append("step" if not body.pure else "")
        begin(body)

    with monkeypatch.context() as patched:
        patched.setattr(Body, "_begin", counted)
        noted(define(cls))
    return begun.count("step") - 1  # the initial states take one


class InOrder(Protocol):
    """Each local has its type before it is read."""

    n = var(Int(0, 3), 0)
    seen = var(Set[Int(0, 3)])

    @action
    def step(self) -> None:
        a = self.n + 1
        b = a + 1 if a < 2 else 0
        for x in self.seen:
            if x == b:
                self.n = b


class Later(Protocol):
    """`a` is read in a loop before a later statement gives it a larger type."""

    n = var(Int(0, 3), 0)

    @action
    def step(self) -> None:
        a = 0
        for i in [1, 2]:
            self.n = min(a, 3)
            a = 2 * i


def test_a_body_that_reads_what_is_known_takes_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its types grow in that round, before they are read."""
    assert rounds_of(InOrder, monkeypatch) == 1


def test_a_type_that_grows_after_it_was_read_takes_another_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second round reads the larger type, which does not grow any more."""
    assert rounds_of(Later, monkeypatch) == 2


def test_reading_the_absence_of_a_value_is_a_use() -> None:
    """By index, by `in`, by `get`, or as a whole."""

    def by_index(known: Learned[str, int]) -> None:
        with suppress(KeyError):
            known["a"]

    uses: list[Callable[[Learned[str, int]], object]] = [
        by_index,
        lambda known: known.get("a"),
        lambda known: "a" in known,
        dict,
        len,
    ]
    for use in uses:
        known = Learned[str, int]()
        use(known)
        known.put("a", 1)
        assert known.outgrown
        known.begin()
        assert known["a"] == 1
        known.put("a", 1)
        assert not known.outgrown
        known.put("a", 2)
        assert known.outgrown


def test_what_is_added_to_a_value_that_was_not_used_takes_no_round() -> None:
    """`peek` is no use, and neither is the use in an earlier round."""
    known = Learned[str, int]()
    assert known.get("a") is None
    known.begin()
    known.put("a", known.peek("a", 0) + 1)
    assert not known.outgrown


class Stale(Protocol):
    """`x` may be the set that the loop changes after `x` was read: in the second turn it has changed."""

    n = var(Int(0, 9), 0)
    a = var(Set[Int(0, 3)])
    b = var(Set[Int(0, 3)])

    @action
    def step(self) -> None:
        x = self.a if self.n > 0 else self.b
        for i in [1, 2]:
            self.n = len(x)
            self.a.add(i)


class StaleLater(Protocol):
    """`x` may be a set that has changed only because of an assignment after the change."""

    n = var(Int(0, 9), 0)
    a = var(Set[Int(0, 3)])
    b = var(Set[Int(0, 3)])
    c = var(Set[Int(0, 3)])

    @action
    def step(self) -> None:
        x = self.b if self.n > 0 else self.c
        for i in [1, 2]:
            self.a.add(i)
            self.n = len(x)
            x = self.a if self.n > 0 else self.b


@pytest.mark.parametrize("cls", [Stale, StaleLater])
def test_what_a_loop_changes_and_who_owns_it_take_another_round(cls: type[Protocol]) -> None:
    """No type grows, and the first round accepts these models."""
    with pytest.raises(Refused, match="x may be a collection that was changed since"):
        noted(define(cls))

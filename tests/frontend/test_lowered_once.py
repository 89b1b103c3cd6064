"""What the tests lower once in a process is what the front end makes of it each time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from checker.catalogue import find
from checker.frontend.lower import lower, noted
from checker.language import Int, Model, action, invariant, require, var
from checker.language.define import define
from checker.language.errors import UsageError
from tests.frontend import lowered_once as once


class Counter(Model):
    n = var(Int(0, 3), 0)

    @action
    def up(self) -> None:
        require(self.n < 2)
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3


class Wrong(Model):
    n = var(Int(0, 3), 0)

    @action
    def up(self) -> None:
        self.n = open("file")


@pytest.fixture
def kept() -> Iterator[Any]:
    """What is kept, at first nothing."""
    with once.lowered_once() as models:
        yield models


def anew(*arguments: Any, **options: Any) -> Any:
    """What the front end makes when nothing is kept from before."""
    with once.lowered_once():
        return lower(*arguments, **options)


SEVERAL = [
    ("isis", {"workload": (1, 1)}, None),
    ("isis", {"workload": (1, 1)}, ["TotalOrder"]),
    ("isis", {"workload": (1, 1), "channels": "fifo"}, None),
    ("isis", {"workload": (1, 0), "crashes": 1}, None),
    ("isis:NoTieBreak", {"workload": (1, 1)}, None),
    ("sequencer", {"workload": (1, 1)}, None),
]


def test_each_definition_has_its_own_model_whatever_was_lowered_before(kept: Any) -> None:
    """Other constants, properties, channels, faults, edits and capacities, there and back again."""
    definitions = [define(find(name).cls, constants, only) for name, constants, only in SEVERAL]
    ways: list[dict[str, Any]] = [{}, {"capacities": {"net": 7}}, {"any_state": True}, {"choosing": True}]
    first = [lower(d, **way) for d in definitions for way in ways]
    again = [lower(define(find(n).cls, c, only), **way) for n, c, only in SEVERAL for way in ways]
    assert first == again == [anew(d, **way) for d in definitions for way in ways]


def test_equal_definitions_are_lowered_once(kept: Any) -> None:
    """The second time the model is the one that was made; a class of the same text is another."""
    one, two = (lower(define(find("isis").cls, {"workload": (1, 1)})) for _ in range(2))
    assert one is two and len(kept) == 1
    assert lower(define(type("Counter", (Counter,), {}))) is not lower(define(Counter)) and len(kept) == 3


def test_what_is_noted_on_the_way_is_noted_again(kept: Any) -> None:
    """What methods read and change, which events are told, what is looped over; a caller's changes are its own."""
    asked = find("isis").cls, {"workload": (1, 1)}
    first, model = noted(define(*asked))
    facts = dict(first.read), dict(first.changed), dict(first.emitted), dict(first.domains), dict(first.limits)
    assert facts[0] and facts[1]
    first.read.clear()
    second, same = noted(define(*asked))
    assert same == model and len(kept) == 1
    assert (second.read, second.changed, second.emitted, second.domains, second.limits) == facts
    second.read.clear()
    assert noted(define(*asked))[0].read == facts[0]


def test_a_method_that_is_replaced_is_lowered(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The class is the same, its function is not."""
    before = lower(define(Counter))

    @invariant
    def small(self: Any) -> bool:
        return bool(self.n < 2)

    monkeypatch.setattr(Counter, "small", small)
    assert lower(define(Counter)) != before


def test_a_refusal_is_made_each_time(kept: Any) -> None:
    """Nothing is kept of it."""
    for _ in range(2):
        with pytest.raises(UsageError, match="open"):
            lower(define(Wrong))
    assert not kept


def test_only_as_many_are_kept_as_memory_allows(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was asked for longest ago goes first."""
    monkeypatch.setattr(once, "KEPT", 2)
    models = [lower(define(find("isis").cls, {"workload": w})) for w in ((1, 0), (1, 1), (1, 0), (0, 1))]
    assert models[0] is models[2] and len(kept) == 2
    assert lower(define(find("isis").cls, {"workload": (1, 0)})) is models[0]
    assert lower(define(find("isis").cls, {"workload": (1, 1)})) is not models[1]

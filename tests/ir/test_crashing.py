"""The forms in which the language writes crashes: each part of them matters, also those that no model can leave out."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from checker.frontend.lower import lower
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.footprints.crashing import complete, dropping, guarded_sending
from checker.ir.model import Model
from checker.ir.visit import rewrite, walk
from checker.language.define import define
from tests.engines.test_chosen_faults import Unheard

NETWORKS = ("net", "junk")


def crashing() -> Model:
    return lower(define(Unheard, {"processes": 3, "crashes": 1}))


def found(kind: Any, is_meant: Any) -> Any:
    """The first such statement of the model."""
    return next(x for a in crashing().actions for x in walk(a.body) if isinstance(x, kind) and is_meant(x, NETWORKS))


def test_a_sending_asks_for_the_life_of_its_own_target_and_does_nothing_else() -> None:
    """If it asked for another's, it would say who has crashed."""
    sending = found(s.If, guarded_sending)
    alive = sending.condition.value
    asked = rewrite(alive, lambda x: e.Local(x.type, "another") if x == alive.item else x)
    assert asked != alive and not guarded_sending(evolve(sending, condition=e.Not(alive.type, asked)), NETWORKS)
    assert not guarded_sending(evolve(sending, then=(*sending.then, s.Stop(0, crash=True))), NETWORKS)
    assert not guarded_sending(evolve(sending, other=sending.then), NETWORKS)
    assert not guarded_sending(sending, ["elsewhere"])


def test_all_copies_to_the_process_are_dropped_and_nothing_else_is_done() -> None:
    loop = found(s.For, lambda x, networks: dropping(x, networks) is not None)
    (test,) = loop.body
    (remove,) = test.then
    assert dropping(evolve(loop, body=(evolve(test, then=(evolve(remove, every=False),)),)), NETWORKS) is None
    assert dropping(evolve(loop, body=(evolve(test, other=test.then),)), NETWORKS) is None
    assert dropping(evolve(loop, body=(test, test)), NETWORKS) is None
    assert dropping(loop, ["elsewhere"]) is None


def test_a_crash_that_leaves_one_network_as_it_is_is_not_complete() -> None:
    model = crashing()
    assert complete(model, NETWORKS)
    for left in NETWORKS:

        def kept(x: Any, left: str = left) -> Any:
            drops = isinstance(x, s.For) and (what := dropping(x, NETWORKS)) is not None and what.network == left
            return evolve(x, body=()) if drops else x

        actions = tuple(evolve(a, body=rewrite(a.body, kept)) for a in model.actions)
        assert not complete(evolve(model, actions=actions), NETWORKS)

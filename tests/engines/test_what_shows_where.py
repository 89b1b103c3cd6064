"""Two findings of one line, asked at two places of a run: the engines agree on which comes first, and where.

A place is asked about in an action, a constraint, an invariant, a reachability predicate, a step invariant or a
quiescence property, at each of three depths; what is asked there fails, in a rule that both places share, so that the
two are occurrences of one finding.  All pairs of places are enumerated, with and without a constraint that cuts states.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from checker.engines import checkpointed
from checker.engines.placement import Placement
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.define import define
from tests.language.test_random_models import load, summary

KINDS = ("action", "constraint", "invariant", "reachable", "step", "quiescent")
DEPTHS = (0, 1, 2)

MODEL = '''
"""Two places of a run are asked."""

from checker.language import *


class Generated(Model):
    """Counts, and may stop at any number: a state at rest."""

    x = var(Int(0, 3), 0)
    stopped = var(Bool, False)
    log = var(Seq[Int(0, 3), 1])

    @rule
    def fails(self, x):
        return self.log[x] == 0

    @action
    def stop(self):
        require(not self.stopped and self.x < 3)
        self.stopped = True

    @action
    def up(self):
        require(not self.stopped and self.x < 3)
        {in_action}
        self.x += 1

    @constraint
    def few(self) -> bool:
        return {within}
{properties}
'''

PROPERTY = """
    @{mark}
    def property_{number}(self) -> bool:
        return {asked}
"""


def written(places: tuple[tuple[str, int], ...], within: str) -> str:
    """The text of a model that asks at these places."""
    in_action, properties = "pass", ""
    for number, (kind, depth) in enumerate(places):
        if kind == "action":
            in_action = f"require(self.x != {depth} or self.fails(self.x))"
        elif kind == "constraint":
            within += f" and (self.x != {depth} or self.fails(self.x))"
        else:
            otherwise = "False" if kind == "reachable" else "True"
            mark = {"step": "step_invariant"}.get(kind, kind)
            asked = f"self.fails(self.x) if self.x == {depth} else {otherwise}"
            properties += PROPERTY.format(mark=mark, number=number, asked=asked)
    return MODEL.format(in_action=in_action, within=within, properties=properties)


def cases() -> Iterator[Any]:
    """Every pair of places of different findings; a build takes each twentieth."""
    places = [(kind, depth) for kind, depth in product(KINDS, DEPTHS) if (kind, depth) != ("constraint", 0)]
    pairs = [(one, other) for one, other in combinations(places, 2) if (one[0], other[0]) != ("action", "action")]
    for number, (pair, within) in enumerate(product(pairs, ("self.x <= 3", "self.x < 2"))):
        marks = [] if number % 19 == 0 else [pytest.mark.thorough]
        name = "-".join(f"{kind}{depth}" for kind, depth in pair)
        yield pytest.param(pair, within, marks=marks, id=f"{name}-{within[-1]}")


@pytest.mark.parametrize(("places", "within"), list(cases()))
def test_engines_agree_on_what_shows_where(places: tuple[tuple[str, int], ...], within: str, tmp_path: Path) -> None:
    """Interpreter, compiled code, and a search that writes its levels: all occurrences, and those of a search that ends
    at the first."""
    definition = define(load(written(places, within), tmp_path))
    for stop_at_first in (False, True):
        expected = summary(explore(Request(definition, engine="interpreter", stop_at_first=stop_at_first)))
        asked = Request(definition, stop_at_first=stop_at_first)
        assert summary(explore(asked)) == expected
        kept = Request(definition, stop_at_first=stop_at_first, placement=Placement(tmp_path / f"kept{stop_at_first}"))
        assert summary(checkpointed.explore(kept)) == expected

"""Cases run in packs: what each does, in the order of their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import Any

from checker.language import choice
from tests.language.enumeration.case import Case
from tests.language.enumeration.header import CASES, IMPORTS, WATCH, WORLDS
from tests.language.enumeration.networks import CHAINED, CHAINS, CONSTANTS, DISTRIBUTED, FAULTY, SENT
from tests.language.enumeration.pack import SENT_FIRST, Outcome, Pack, judge, module, pack
from tests.language.enumeration.positions import Piece, piece
from tests.language.enumeration.sinks import ERROR, merged, shape

SIZE = 150
"""Cases in a pack."""

NETWORKED = ("crashed", "lost", "duplicated", "apart", "splits")
"""Variables of a model with networks that every method may depend on."""

EDIT = '''

class Cases(Original):
    """Overrides what the cases say."""
'''

Numbered = tuple[int, Case]


def run(numbered: Iterable[Numbered]) -> Iterator[tuple[int, Case, Outcome]]:
    """The outcome of each case."""
    for setting, some in packs(numbered):
        with prepared(setting, some) as (packed, pieces):
            for number, case in some:
                outcome = judge(packed, f"case_{number}", pieces[number].text)
                yield number, case, Outcome(outcome.verdict, outcome.reason, pieces[number].text)


def packs(numbered: Iterable[Numbered], size: int = SIZE) -> Iterator[tuple[str, list[Numbered]]]:
    """Cases of one setting, so many at a time."""
    rest = iter(numbered)
    while some := list(islice(rest, size)):
        for setting in dict.fromkeys(case.setting for _, case in some):
            yield setting, [(number, case) for number, case in some if case.setting == setting]


@contextmanager
def prepared(setting: str, some: list[Numbered]) -> Iterator[tuple[Pack, dict[int, Piece]]]:
    """The class that holds these cases, and the text of each."""
    shapes = _shapes(setting, some)
    pieces = {number: piece(f"case_{number}", case, shapes.get(number, ""), WORLDS[0]) for number, case in some}
    with module(text(setting, list(pieces.values()))) as made:
        yield _packed(made, setting), pieces


def _packed(made: ModuleType, setting: str) -> Pack:
    flight = [re.sub(r", self.crashed.add\(.*?\]\)", "", text) if setting != FAULTY else text for text in SENT]
    sent = [{**world, SENT_FIRST: text} if setting else world for world, text in zip(WORLDS, flight)]
    return pack(
        made,
        sent,
        CONSTANTS[setting],
        frozenset(NETWORKED if setting else ()) | ({"Hops.hops"} if setting == CHAINED else set()),
    )


def text(setting: str, pieces: list[Piece]) -> str:
    """The module that holds these pieces."""
    properties = ["Watch", *(["Hops"] if setting == CHAINED else []), *(name for p in pieces for name in p.properties)]
    watch, members, originals = ("".join(getattr(p, part) for p in pieces) for part in ("watch", "members", "original"))
    model = DISTRIBUTED if setting else CASES
    if originals:
        model = model.replace("class Cases(", "class Original(") + originals + EDIT
    whole = (
        IMPORTS
        + (CHAINS if setting == CHAINED else "")
        + "".join(p.outside for p in pieces)
        + WATCH
        + watch
        + model
        + members
    )
    return whole + f"\n    properties = [{', '.join(properties)}]\n"


def _shapes(setting: str, some: list[Numbered]) -> dict[int, str]:
    """What kind of value each expression has in Python."""
    asked = [(number, case) for number, case in some if case.expression]
    probes = [Piece(_probe(number, case)) for number, case in asked]
    with module(text(setting, probes)) as made:
        packed = _packed(made, setting)
        return {number: merged(_shape(made, packed, number, state) for state in packed.states) for number, _ in asked}


def _probe(number: int, case: Case) -> str:
    lines = (*case.before, *([f"x = {case.argument}"] if case.argument else []), f"return {case.expression}")
    first = ("p, q = self.Process[0], self.Process[1]",) if case.setting else ()
    return f"\n    def probe_{number}(self):\n" + "".join(f"        {line}\n" for line in (*first, *lines))


def _shape(made: ModuleType, packed: Pack, number: int, state: tuple[Any, ...]) -> str:
    model = packed.interpreter.model
    model.set_raw_state(state)
    choice.executing(choice.Script())
    try:
        return shape(getattr(made.Cases, f"probe_{number}")(model))
    except Exception:
        return ERROR
    finally:
        choice.executing(None)

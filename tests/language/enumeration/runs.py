"""Cases run in packs: what each does, in the order of their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

from checker.language import choice
from tests.language.enumeration.case import Case
from tests.language.enumeration.header import CASES, IMPORTS, WATCH, WORLDS
from tests.language.enumeration.pack import Outcome, Pack, judge, module, pack
from tests.language.enumeration.positions import Piece, piece
from tests.language.enumeration.sinks import ERROR, merged, shape

SIZE = 150
"""Cases in a pack."""

Numbered = tuple[int, Case]


def run(numbered: Iterable[Numbered]) -> Iterator[tuple[int, Case, Outcome]]:
    """The outcome of each case."""
    rest = iter(numbered)
    while some := list(islice(rest, SIZE)):
        yield from _run(some)


def _run(some: list[Numbered]) -> Iterator[tuple[int, Case, Outcome]]:
    shapes = _shapes(some)
    pieces = {number: piece(f"case_{number}", case, shapes.get(number, ""), WORLDS[0]) for number, case in some}
    with module(text(list(pieces.values()))) as made:
        packed = pack(made, WORLDS)
        for number, case in some:
            outcome = judge(packed, f"case_{number}", pieces[number].text)
            yield number, case, Outcome(outcome.verdict, outcome.reason, pieces[number].text)


def text(pieces: list[Piece]) -> str:
    """The module that holds these pieces."""
    properties = ["Watch", *(name for p in pieces for name in p.properties)]
    watch, members = ("".join(getattr(p, part) for p in pieces) for part in ("watch", "members"))
    return IMPORTS + "".join(p.outside for p in pieces) + WATCH + watch + CASES + members + f"\n    properties = [{', '.join(properties)}]\n"


def _shapes(some: list[Numbered]) -> dict[int, str]:
    """What kind of value each expression has in Python."""
    asked = [(number, case) for number, case in some if case.expression]
    probes = [Piece(_probe(number, case)) for number, case in asked]
    with module(text(probes)) as made:
        packed = pack(made, WORLDS)
        return {number: merged(_shape(made, packed, number, state) for state in packed.states) for number, _ in asked}


def _probe(number: int, case: Case) -> str:
    lines = (*case.before, *([f"x = {case.argument}"] if case.argument else []), f"return {case.expression}")
    return f"\n    def probe_{number}(self):\n" + "".join(f"        {line}\n" for line in lines)


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

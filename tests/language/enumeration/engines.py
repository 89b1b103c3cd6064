"""Cases that are accepted, in the other engines: native code by both compilers, and the relation that z3 is given.

Many cases become one model, so that it is compiled once; each is compared in the same four states.  Where the model
disagrees it is halved until one case does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from checker.backends.native.kernel import compile_model
from checker.backends.smt.environment import Unsupported
from checker.backends.smt.system import System
from checker.ir.evaluate.model import Evaluator
from checker.ir.model import Model
from tests.backends import agreement
from tests.backends.smt.test_smt_agreement import compare_state
from tests.language.enumeration.case import Case
from tests.language.enumeration.pack import DIFFERENT, REFUSED, SAME, Outcome, Pack, Single, judge, lowered, single
from tests.language.enumeration.positions import Piece
from tests.language.enumeration.runs import Numbered, packs, prepared

TOGETHER = 40
"""Cases in a model that is compiled."""


def accepted(numbered: Iterable[Numbered], size: int) -> Iterator[tuple[Pack, dict[int, Piece], list[Numbered]]]:
    """The cases that the front end accepts and the evaluator agrees on, so many at a time; without those that begin a
    model or cut its states."""
    for setting, some in packs(((n, c) for n, c in numbered if c.position not in ("initial", "constraint")), size):
        with prepared(setting, some) as (packed, pieces):
            yield (
                packed,
                pieces,
                [(n, c) for n, c in some if judge(packed, f"case_{n}", pieces[n].text).verdict == SAME],
            )


def natively(numbered: Iterable[Numbered], size: int) -> Iterator[tuple[int, Case, Outcome]]:
    """Each accepted case, compiled with others by both compilers."""
    for packed, pieces, some in accepted(numbered, size):
        for first in range(0, len(some), TOGETHER):
            yield from _compiled(packed, pieces, some[first : first + TOGETHER])


def _compiled(packed: Pack, pieces: dict[int, Piece], some: list[Numbered]) -> Iterator[tuple[int, Case, Outcome]]:
    together = single(packed, [f"case_{n}" for n, _ in some], "".join(pieces[n].text for n, _ in some))
    model = lowered(together.definition)
    assert isinstance(model, Model), model
    try:
        _agree(together, model)
    except AssertionError as error:
        if len(some) == 1:
            yield *some[0], Outcome(DIFFERENT, f"native code: {error}", pieces[some[0][0]].text)
            return
        for half in (some[: len(some) // 2], some[len(some) // 2 :]):
            yield from _compiled(packed, pieces, half)
        return
    yield from ((n, case, Outcome(SAME)) for n, case in some)


def _agree(together: Single, model: Model) -> None:
    evaluator = Evaluator(model)
    for quick in (True, False):
        kernel = compile_model(model, cache=False, quick=quick)
        for state in together.states:
            at = dict(zip(together.variables, state))
            agreement.compare_check(kernel, evaluator, at)
            agreement.compare_state(kernel, evaluator, at)


def symbolically(numbered: Iterable[Numbered], size: int) -> Iterator[tuple[int, Case, Outcome]]:
    """Each accepted case by itself, as a relation between two states; a network holds three messages, so states with
    more are left out."""
    for packed, pieces, some in accepted(numbered, size):
        for number, case in some:
            alone = single(packed, (f"case_{number}",), pieces[number].text)
            model = lowered(alone.definition)
            assert isinstance(model, Model)
            evaluator = Evaluator(model)
            try:
                system = System(model)
                for state in alone.states[:2]:
                    compare_state(system, evaluator, dict(zip(alone.variables, state)))
            except Unsupported as error:
                yield number, case, Outcome(REFUSED, f"z3: {error}", pieces[number].text)
            except AssertionError as error:
                yield number, case, Outcome(DIFFERENT, f"z3: {error}", pieces[number].text)
            else:
                yield number, case, Outcome(SAME)

"""What is accepted means in every engine what Python makes of it: each construct with each kind of operand in each
position; each run of the tests takes other cases.

The slice turns with the commit: its seed is ENUMERATION_SLICE, else GITHUB_SHA, else the version of the program.  A
failure prints the case's number, and how to run that case alone.  All cases are behind the marker `thorough`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from checker.frontend.kinds import OPERATIONS, PAIRS
from checker.version import VERSION
from tests.language.enumeration.case import Case
from tests.language.enumeration.cases import cases, keyed
from tests.language.enumeration.counts import page
from tests.language.enumeration.engines import natively, symbolically
from tests.language.enumeration.pack import BROKEN, DIFFERENT, REFUSED, SAME, Outcome
from tests.language.enumeration.positions import EXPRESSIONS, ORIGINALS, piece
from tests.language.enumeration.programs import grown
from tests.language.enumeration.runs import run
from tests.language.enumeration.table import tabled
from tests.language.enumeration.whole import whole

pytestmark = pytest.mark.filterwarnings("ignore:in 3.12 __contains__:DeprecationWarning")  # 1 in Color

SEED = os.environ.get("ENUMERATION_SLICE") or os.environ.get("GITHUB_SHA") or VERSION

PARTS = 113
"""Of all cases; a prime, so that each part meets all rows of the tables."""


def seed_of(name: str) -> int:
    """The seed of a test of this name in this run."""
    return int.from_bytes(sha256(f"{SEED} {name}".encode()).digest()[:6])


def drawn(name: str, count: int) -> list[tuple[int, Case]]:
    """So many cases for a test of this name, the same for the same seed; every family has its share."""
    random = Random(seed_of(name))
    every = cases()
    return [(number, every[number]) for number in sorted(random.sample(range(len(every)), count))]


def none_wrong(outcomes: Iterable[tuple[int, Case, Outcome]]) -> int:
    """How many cases were accepted; fails with those that differ."""
    judged = list(outcomes)
    wrong = [f"case {n}, {case.text}\n{o.reason}\n{o.text}" for n, case, o in judged if o.wrong]
    again = "Alone: python -m tests.language.enumeration.whole NUMBER"
    assert not wrong, f"seed {SEED}: {len(wrong)} of {len(judged)} cases are wrong. {again}\n\n" + "\n".join(wrong[:10])
    return sum(o.verdict == SAME for _, _, o in judged)


def test_what_is_accepted_does_what_python_does() -> None:
    """Successors in order, errors with their lines, values of predicates; what is refused is refused with a place and
    what to write."""
    assert none_wrong(run(drawn("evaluator", 200))) > 15


def test_each_row_of_the_tables_is_accepted_for_its_kinds_and_for_no_others() -> None:
    """The tables of docs/language.md, each entry with operands of its kind: where it is "yes" one is accepted at least,
    where it is empty none is; nothing accepted is wrong."""
    numbers = {key: number for number, key in enumerate(keyed())}
    rows = list(tabled())
    judged = list(run((numbers[case.key], case) for _, _, case in rows))
    none_wrong(judged)
    accepted = {(row, kinds) for (row, kinds, _), (_, _, outcome) in zip(rows, judged) if outcome.verdict == SAME}
    stated = {(row, (kind,)) for row, having in OPERATIONS.items() for kind in having} | {
        (row, pair) for row, pairs in PAIRS.items() for pair in pairs
    }
    assert accepted == stated, (
        f"accepted and not in the tables: {sorted(map(str, accepted - stated))}; in the tables and refused: "
        f"{sorted(map(str, stated - accepted))}"
    )


def test_random_programs_of_its_rows_do_what_python_does() -> None:
    """Grown statement by statement, seven at most; each stage is compared."""
    assert none_wrong(grown(seed_of("programs"), 15)) > 30


def test_compiled_it_does_the_same() -> None:
    """In both compilers, forty cases to a model."""
    assert none_wrong(natively(drawn("native", 80), 80)) > 2


def test_as_a_relation_for_z3_it_does_the_same() -> None:
    """Successors and errors of two states."""
    assert none_wrong(symbolically(drawn("z3", 40), 40)) > 2


def test_the_page_states_how_many_there_are() -> None:
    """docs/front_end.md has the table of families with their numbers."""
    docs = Path(__file__).parents[3] / "docs"
    assert page() in (docs / "front_end.md").read_text(), f"docs/front_end.md needs this table:\n{page()}"
    assert f"{len(cases()):,} cases" in (docs / "semantics.md").read_text()


def test_a_number_names_one_case() -> None:
    """Numbers are places in a list without repetitions."""
    every = cases()
    assert len({case.key for case in every}) == len(every)


@pytest.mark.parametrize("position", (*EXPRESSIONS, "argument of a rule", "argument of a procedure", *ORIGINALS))
def test_each_position_takes_every_expression(position: str) -> None:
    """Also one that needs parentheses as a condition; one text that is no Python would end all cases of its pack."""
    made = piece("case_0", Case("position", "", "", position, expression="True if self.flag else False"), "bool", {})
    for text in (made.members, made.watch, made.original, made.outside):
        compile(dedent(text), "a case", "exec")


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_every_case_does_what_python_does(part: int) -> None:
    """All parts together are all cases, each part in a process of its own."""
    tally = whole(range(part, len(cases()), PARTS))
    assert not tally.total(DIFFERENT) + tally.total(BROKEN), str(tally)
    assert tally.total(SAME) > 40_000 // PARTS and tally.total(REFUSED) > 0


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_many_random_programs_do_what_python_does(seed: int) -> None:
    """Two hundred for each seed."""
    assert none_wrong(grown(seed, 200)) > 400


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(30))
def test_many_cases_do_the_same_compiled(part: int) -> None:
    """A thousand cases each, drawn anew."""
    assert none_wrong(natively(drawn(f"native {part}", 1000), 1000)) > 100


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(30))
def test_many_cases_do_the_same_as_relations(part: int) -> None:
    """A thousand cases each, drawn anew."""
    assert none_wrong(symbolically(drawn(f"z3 {part}", 1000), 1000)) > 100

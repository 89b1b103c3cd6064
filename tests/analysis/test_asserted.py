"""Assertions are compared by what they say: another way to write one takes nothing away, a looser bound does."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from checker.analysis.asserted import Assertion, assertions
from checker.analysis.narrowed import narrowed
from checker.catalogue import find
from checker.language.define import define

MODEL = '''"""Counts."""
from checker.language import Bool, Int, Model, action, const, require, var

LIMIT, LOW = {limit}, 0


class Counter{number}(Model):
    most = const(4)
    n = var(Int(0, 9), 0)
    m = var(Int(0, 9), 0)
    done = var(Bool)

    @action
    def up(self, by: Int(1, 2)):
        require(self.n + by < 4)
        after = self.n + by
        {asserted}
        self.n = after
        self.m = by
        self.done = True
'''
GONE = "{} in up is no longer stated"


def lost(here: Path, before: tuple[str, int], now: tuple[str, int]) -> list[str]:
    """What is told of a change of the assertion and of LIMIT."""
    sides = []
    for number, (asserted, limit) in enumerate((before, now)):
        text = MODEL.format(number=number, limit=limit, asserted=asserted.replace("; ", "\n        "))
        (here / f"asserting{number}.py").write_text(text, encoding="utf-8")
        sides.append(define(find(f"asserting{number}.py").cls))
    return [one.text for one in narrowed(*sides)]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("assert after < LIMIT", "assert LIMIT > after"),
        ("assert after < LIMIT", "assert 5 > after"),
        ("assert after <= self.most", "assert self.most >= after"),
        ("assert self.n != by or self.done", "assert self.done or not self.n == by"),
        ("assert not (self.done and self.n == 3)", "assert not self.done or self.n != 3"),
        ("assert not (self.done or self.n == 3)", "assert self.n != 3; assert not self.done"),
        ("assert self.n == self.m or by < 3", "assert by < 3 or self.m == self.n"),
        ("assert after < LIMIT", "assert after < 4"),
        ("assert all(LOW < after for LOW in (0, 1))", "assert all(after > LOW for LOW in (0, 1))"),
        ("assert 0 <= self.m; assert self.n < 9", "assert self.n < 8 and 0 <= self.m"),
    ],
)
def test_an_assertion_written_otherwise_is_none_that_is_gone(here: Path, before: str, now: str) -> None:
    """Operands, negations, values and tighter bounds."""
    assert lost(here, (before, 5), (now, 5)) == []


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (("assert after < LIMIT", 5), ("assert after < LIMIT", 6), "assert after < LIMIT with LIMIT = 5"),
        (("assert after < LIMIT", 5), ("assert after <= LIMIT", 5), "assert after < LIMIT"),
        (("assert after > 0", 5), ("assert after >= 0", 5), "assert after > 0"),
        (("assert after < 5", 5), ("assert after < 6", 5), "assert after < 5"),
        (("assert self.n < self.m", 5), ("assert self.m < self.n", 5), "assert self.n < self.m"),
        (("assert self.done and after < 5", 5), ("assert self.done or after < 5", 5), "assert self.done"),
        (("assert not self.done", 5), ("assert self.done", 5), "assert not self.done"),
    ],
)
def test_an_assertion_that_says_less_is_gone(
    here: Path, before: tuple[str, int], now: tuple[str, int], told: str
) -> None:
    """Also where its text is the same, and a number that it reads is another one."""
    assert GONE.format(told) in lost(here, before, now)


def test_a_tighter_number_that_an_assertion_reads_takes_nothing_away(here: Path) -> None:
    """The bound is 4 where it was 5."""
    assert lost(here, ("assert after < LIMIT", 5), ("assert after < LIMIT", 4)) == []


def random_test(chosen: random.Random, depth: int) -> str:
    """An expression of three numbers, as text."""
    if depth and chosen.random() < 0.6:
        parts = [random_test(chosen, depth - 1) for _ in range(2)]
        return chosen.choice([f"not ({parts[0]})", f"({parts[0]}) and ({parts[1]})", f"({parts[0]}) or ({parts[1]})"])
    operands = [chosen.choice(["self.a", "self.b", "self.c", "0", "1", "2"]) for _ in range(2)]
    operator = chosen.choice(["<", "<=", ">", ">=", "==", "!=", "in"])
    return f"{operands[0]} in ({operands[1]}, 1)" if operator == "in" else f"{operands[0]} {operator} {operands[1]}"


def test_what_is_compared_says_what_is_written(here: Path) -> None:
    """Random tests against their values for all numbers: the parts together say the same, and one that implies another
    is false wherever the other is.
    """
    chosen = random.Random(7)
    texts = [random_test(chosen, 3) for _ in range(40)] + [random_test(chosen, 0) for _ in range(30)]
    lines = [f"def f{number}(self):\n    assert {text}\n\n" for number, text in enumerate(texts)]
    (here / "random_tests.py").write_text("\n".join(lines), encoding="utf-8")
    loaded = runpy.run_path(str(here / "random_tests.py"))
    numbers = [SimpleNamespace(a=a, b=b, c=c) for a in range(3) for b in range(3) for c in range(3)]

    def values(text: str) -> tuple[bool, ...]:
        code = compile(text, "", "eval")
        return tuple(bool(eval(code, {"self": each, "_0": each})) for each in numbers)

    found: dict[Assertion, tuple[bool, ...]] = {}
    for number, text in enumerate(texts):
        parts = list(assertions(loaded[f"f{number}"], {}))
        found |= {part: values(part.test) for part in parts}
        assert values(text) == tuple(map(all, zip(*(found[part] for part in parts))))
    implied = [(one, other) for one in found for other in found if one.test != other.test and one.implies(other)]
    assert implied
    for one, other in implied:
        assert all(then or not now for now, then in zip(found[one], found[other]))

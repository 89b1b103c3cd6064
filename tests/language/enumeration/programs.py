"""Random programs made of the rows of the enumeration: statement after statement, each kept only if the front end
accepts what there is so far.

So programs are long although most rows with a random operand are refused.  Rows of the tables of statements, ways of
taking a name, changes and reads are drawn alike; operands are those of the tables, or constructs filled with one
another.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from warnings import catch_warnings, simplefilter

from tests.language.enumeration.aliasing import GRIDS
from tests.language.enumeration.case import Case, filled
from tests.language.enumeration.expressions import BINARY, PLAIN, UNARY
from tests.language.enumeration.operands import OPERANDS
from tests.language.enumeration.pack import REFUSED, Outcome
from tests.language.enumeration.runs import run
from tests.language.enumeration.statements import CHANGED, VALUED

ROUNDS = 24
"""Statements that are tried for each program."""
LONGEST = 7
"""Statements that a program has at most."""

TEXTS = tuple(o.text for o in OPERANDS if not o.before)
PLACES = (
    "self.s",
    "self.q",
    "self.ms[self.site]",
    "self.mq[self.site]",
    "self.m",
    "self.bag",
    "x",
    "x",
    "y",
    "a",
    "d[0]",
    "x[0]",
)


def grown(seed: int, count: int) -> Iterator[tuple[int, Case, Outcome]]:
    """So many programs of a seed, and what became of each in every round in which it changed; numbers are those of
    programs."""
    random = Random(seed)
    programs: list[tuple[str, ...]] = [()] * count
    for _ in range(ROUNDS):
        tried = {n: (*lines, *written(random)) for n, lines in enumerate(programs) if len(lines) < LONGEST}
        for number, case, outcome in run((n, program(seed, lines)) for n, lines in tried.items()):
            if outcome.verdict != REFUSED:
                programs[number] = tried[number] if not outcome.wrong else ("pass",) * LONGEST
                yield number, case, outcome


def program(seed: int, lines: tuple[str, ...]) -> Case:
    """The lines as a case."""
    return Case("program", f"seed {seed}", "", "action", lines=lines)


def written(random: Random) -> tuple[str, ...]:
    """A statement that is Python."""
    while True:
        lines = statement(random)
        try:
            with catch_warnings():
                simplefilter("ignore", SyntaxWarning)
                compile("def f():\n" + "".join(f"    {line}\n" for line in lines), "statement", "exec")
        except SyntaxError:
            continue
        return lines


def statement(random: Random) -> tuple[str, ...]:
    """The lines of a statement."""
    draw = random.random()
    if draw < 0.3:
        return tuple(filled(random.choice(VALUED), operand(random, 2)).split("\n"))
    kind, ways, changes, reads, local = random.choice(GRIDS[:3])
    if draw < 0.5:
        way = random.choice([w for w in ways if not w.lines[-1].endswith(":")])
        return (local, *way.lines) if way.original == "a" else way.lines
    if draw < 0.75:
        return tuple(random.choice((*changes, *CHANGED)).replace("T", random.choice(PLACES)).split("\n"))
    if draw < 0.9:
        return tuple(
            random.choice(reads).replace("N", random.choice(PLACES)).replace("O", random.choice(PLACES)).split("\n")
        )
    return (f"{random.choice(('x', 'y', 'self.out', 'self.outb', 'self.outs', 'self.outq'))} = {operand(random, 2)}",)


def operand(random: Random, depth: int) -> str:
    """An operand, or a construct of others."""
    draw = random.random()
    if depth == 0 or draw < 0.4:
        return random.choice((*TEXTS, *(f"({text})" for text in PLAIN), "x", "y"))
    if draw < 0.8:
        return f"({filled(random.choice(UNARY), operand(random, depth - 1))})"
    return f"({filled(random.choice(BINARY), operand(random, depth - 1), operand(random, depth - 1))})"

"""Which changes are tried: drawn by a seed over the files, each file as often as it is long."""

from __future__ import annotations

import ast
import random
from functools import cache
from pathlib import Path

from attrs import frozen

from tests.mutation.changes import changed, changes

ROOT = Path(__file__).resolve().parents[2]

PACKAGES: dict[str, tuple[str, ...]] = {
    "frontend": ("checker/frontend/*.py",),
    "ir": ("checker/ir/*.py",),
    "evaluator": ("checker/ir/evaluate/*.py",),
    "native": ("checker/backends/native/*.py", "checker/assembly.py"),
    "smt": ("checker/backends/smt/*.py",),
    "search": ("checker/search/*.py", "checker/contract.py"),
    "liveness": (
        "checker/replay/fairness.py",
        "checker/replay/symmetry.py",
        "checker/engines/behaviour.py",
        "checker/replay/replay.py",
    ),
}
EXCLUDED: dict[str, str] = {
    "checker/frontend/refusal.py": "the texts of refusals",
    "checker/frontend/remedies.py": "the texts of remedies",
    "checker/frontend/misspelt.py": "proposes names in refusals",
    "checker/ir/show.py": "text for the reader",
    "checker/search/progress.py": "lines of progress",
    "checker/search/memory.py": "measures memory; its limits have their own tests with processes",
    "checker/search/threads.py": "asks the machine for its cores",
}
"""Files that choose words or measure the machine, and decide no answer."""


@frozen
class Mutant:
    """The change of that number in a file."""

    file: str
    number: int
    package: str
    operator: str
    line: int
    function: str = ""
    span: tuple[int, int] | None = None
    """The innermost function around it, by its first and last line; none at the top of a module."""

    @property
    def name(self) -> str:
        """What --only takes to repeat it."""
        return f"{self.file}:{self.line}#{self.number}"

    @property
    def module(self) -> str:
        """The module that is changed."""
        return self.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def files(package: str) -> list[str]:
    """The files of a package, in order."""
    found = {path.relative_to(ROOT).as_posix() for pattern in PACKAGES[package] for path in ROOT.glob(pattern)}
    return sorted(found - EXCLUDED.keys())


@cache
def of_file(file: str, package: str) -> tuple[Mutant, ...]:
    """All mutants of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    spans = _functions(tree)
    return tuple(
        Mutant(file, i, package, c.operator, c.line, *_around(spans, c.line)) for i, c in enumerate(changes(tree))
    )


def _functions(tree: ast.Module) -> list[tuple[tuple[int, int], str]]:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return sorted(
        ((min([n.lineno, *(d.lineno for d in n.decorator_list)]), n.end_lineno or n.lineno), n.name) for n in found
    )


def _around(spans: list[tuple[tuple[int, int], str]], line: int) -> tuple[str, tuple[int, int] | None]:
    inside = [(name, span) for span, name in spans if span[0] <= line <= span[1]]
    return inside[-1] if inside else ("", None)


def drawn(seed: int, most: int, packages: tuple[str, ...] = tuple(PACKAGES)) -> list[Mutant]:
    """So many different mutants: a file by its length, an operator among those it has, a place.  A prefix of the list
    is itself a drawing."""
    random_ = random.Random(seed)
    every = [(file, package) for package in packages for file in files(package) if of_file(file, package)]
    weights = [(ROOT / file).read_text(encoding="utf-8").count("\n") for file, _ in every]
    found: dict[str, Mutant] = {}
    available = sum(len(of_file(*place)) for place in every)
    while len(found) < min(most, available):
        (place,) = random_.choices(every, weights)
        operator = random_.choice(sorted({m.operator for m in of_file(*place)}))
        mutant = random_.choice([m for m in of_file(*place) if m.operator == operator])
        found.setdefault(mutant.name, mutant)
    return list(found.values())


def named(name: str) -> list[Mutant]:
    """FILE:LINE#NUMBER; FILE:LINE for all mutants of a line, FILE for all of a file."""
    file, _, place = name.partition(":")
    line, _, number = place.partition("#")
    package = next(p for p in PACKAGES if file in files(p))
    return [
        m for m in of_file(file, package) if (m.number == int(number) if number else not line or m.line == int(line))
    ]


def tree(mutant: Mutant) -> ast.Module:
    """The changed module."""
    return changed((ROOT / mutant.file).read_text(encoding="utf-8"), mutant.number)


@cache
def difference(mutant: Mutant) -> tuple[str, str]:
    """The lines before and after, as Python writes them."""
    before = _unchanged(mutant.file)
    after = ast.unparse(tree(mutant)).split("\n")
    start = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
    end = next((i for i, (a, b) in enumerate(zip(before[::-1], after[::-1])) if a != b), 0)
    end = min(end, len(before) - start, len(after) - start)
    return tuple("\n".join(line.strip() for line in lines[start : len(lines) - end]) for lines in (before, after))  # type: ignore[return-value]


@cache
def _unchanged(file: str) -> list[str]:
    """The lines of a file, as Python writes them."""
    return ast.unparse(ast.parse((ROOT / file).read_text(encoding="utf-8"))).split("\n")

"""What became of the mutants: a line for each as it comes, a table at the end, and the survivors with what is known of
them."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from tests.mutation.mutants import PACKAGES, Mutant, difference, files, of_file

KILLED, TIME, SURVIVED, ANSWERED = "killed", "time", "survived", "answered"
ANSWERS = Path(__file__).with_name("answers.toml")


@frozen
class Result:
    """The verdict on a mutant and the test that noticed it."""

    name: str
    package: str
    operator: str
    verdict: str
    noticed: str
    seconds: float

    def line(self) -> str:
        """As a line of a file of results."""
        return json.dumps([self.name, self.package, self.operator, self.verdict, self.noticed, round(self.seconds, 2)])


def read(file: Path) -> list[Result]:
    """Results of an earlier run."""
    return [Result(*json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


@frozen
class Answer:
    """Why a change in a function alters no meaning; without lines, why none does."""

    file: str
    function: str
    operator: str
    before: str
    after: str
    why: str

    def fits(self, mutant: Mutant) -> bool:
        """Whether the mutant is this change."""
        if (mutant.file, mutant.function) != (self.file, self.function):
            return False
        return not self.before or mutant.operator == self.operator and difference(mutant) == (self.before, self.after)


def answers(file: Path = ANSWERS) -> list[Answer]:
    """All answers, as written."""
    return [
        Answer(
            a["file"],
            a.get("function", ""),
            a.get("operator", ""),
            a.get("before", ""),
            a.get("after", ""),
            " ".join(a["why"].split()),
        )
        for a in tomllib.loads(file.read_text()).get("answer", [])
    ]


def stale(found: Iterable[Answer]) -> list[Answer]:
    """Answers about changes that can no longer be made."""
    return [a for a in found if not any(a.fits(m) for p in PACKAGES if a.file in files(p) for m in of_file(a.file, p))]


def table(results: list[Result]) -> str:
    """Numbers by package and by operator."""
    lines = []
    for title, key in (("package", lambda r: r.package), ("operator", lambda r: r.operator)):
        lines.append(f"{title:20} {'tried':>6} {KILLED:>7} {TIME:>5} {SURVIVED:>9} {ANSWERED:>9} {'score':>6}")
        names = sorted({key(r) for r in results})
        for name in [*names, "all"] if title == "package" else names:
            lines.append(_row(name, [r for r in results if name == "all" or key(r) == name]))
        lines.append("")
    return "\n".join(lines)


def _row(name: str, results: list[Result]) -> str:
    count = Counter(r.verdict for r in results)
    return (
        f"{name:20} {len(results):6} {count[KILLED]:7} {count[TIME]:5} {count[SURVIVED]:9} {count[ANSWERED]:9} "
        f"{score(results):6.1%}"
    )


def score(results: list[Result]) -> float:
    """The part of the mutants that is noticed, of those that change a meaning."""
    judged = [r for r in results if r.verdict != ANSWERED]
    return sum(r.verdict in (KILLED, TIME) for r in judged) / len(judged) if judged else 1.0


def survivor(mutant: Mutant) -> str:
    """A survivor as it is shown: where, the change, and how to repeat it."""
    before, after = difference(mutant)
    marked = [f"  - {line}" for line in before.split("\n")] + [f"  + {line}" for line in after.split("\n")]
    return "\n".join(
        [
            f"{mutant.file}:{mutant.line} in {mutant.function or 'the module'}: {mutant.operator}",
            *marked,
            f"  python -m tests.mutation --only '{mutant.name}'",
        ]
    )

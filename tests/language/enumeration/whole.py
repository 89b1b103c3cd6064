"""Run the enumeration, or a part of it, and print what is wrong, grouped by construct and by how the answers differ.

`python -m tests.language.enumeration.whole [first] [last] [step]`, or with one number: that case alone, with the text
of its method.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from attrs import field, frozen

from tests.language.enumeration.case import Case
from tests.language.enumeration.cases import cases
from tests.language.enumeration.pack import DIFFERENT, REFUSED, SAME, Outcome
from tests.language.enumeration.runs import run

CHUNK = 15_000
"""Cases in a process."""


@frozen
class Tally:
    """What came of many cases."""

    verdicts: Counter[tuple[str, str]] = field(factory=Counter)  # by family and verdict
    kinds: Counter[tuple[str, str]] = field(factory=Counter)  # by kind of operand and verdict
    positions: Counter[tuple[str, str]] = field(factory=Counter)
    refusals: Counter[str] = field(factory=Counter)  # by the first words of the reason
    wrong: dict[tuple[str, str, str], list[tuple[int, Case, Outcome]]] = field(factory=dict)

    def add(self, number: int, case: Case, outcome: Outcome) -> None:
        """Count one."""
        self.verdicts[case.family, outcome.verdict] += 1
        self.kinds[case.kind, outcome.verdict] += 1
        self.positions[case.position, outcome.verdict] += 1
        if outcome.verdict == REFUSED:
            self.refusals[in_general(outcome.reason)] += 1
        if outcome.wrong:
            construct = case.construct if outcome.verdict == DIFFERENT else "(many)"
            self.wrong.setdefault((case.family, construct, way(outcome)), []).append((number, case, outcome))

    def include(self, other: Tally) -> None:
        """Count what another counted."""
        for mine, theirs in (
            (self.verdicts, other.verdicts),
            (self.kinds, other.kinds),
            (self.positions, other.positions),
        ):
            mine.update(theirs)
        self.refusals.update(other.refusals)
        for key, found in other.wrong.items():
            self.wrong.setdefault(key, []).extend(found)

    def total(self, verdict: str) -> int:
        """All cases with this verdict."""
        return sum(n for (_, v), n in self.verdicts.items() if v == verdict)

    def __str__(self) -> str:
        """The groups, the largest first, each with its smallest text."""
        total = sum(self.verdicts.values())
        lines = [
            f"{total} cases: {self.total(SAME)} accepted and alike, {self.total(REFUSED)} refused, "
            f"{sum(map(len, self.wrong.values()))} wrong",
            "",
        ]
        for title, table in (("family", self.verdicts), ("position", self.positions)):
            rows = sorted({name for name, _ in table})
            lines += [f"by {title}:"] + [
                f"  {row}: " + ", ".join(f"{v} {n}" for (r, v), n in sorted(table.items()) if r == row) for row in rows
            ]
        for (family, construct, how), found in sorted(self.wrong.items(), key=lambda item: -len(item[1])):
            number, case, outcome = min(found, key=lambda f: len(f[1].text))
            kinds = ", ".join(f"{k} ({n})" for k, n in Counter(c.kind for _, c, _ in found).most_common(8))
            lines += [
                "",
                f"## {construct}: {how}, {len(found)} cases ({family})",
                f"operands: {kinds}",
                f"case {number}: {case.text}",
                outcome.reason[:300],
            ]
        return "\n".join(lines)


def way(outcome: Outcome) -> str:
    """How the answers differ, without the values."""
    found = re.match(r"state \d: Python (.*); lowered (.*)", outcome.reason, re.S)
    if found is None:
        return in_general(outcome.reason)
    python, lowered = (
        re.sub(r"\d+", "", part.partition(" | ")[0])
        if re.match(r"error|assert|\w+Error|in the evaluator", part)
        else "a value"
        for part in found.groups()
    )
    return (
        f"Python {python}, lowered {lowered}"
        if python != lowered or python == "a value"
        else f"another line of the {python}"
    )


def in_general(reason: str) -> str:
    """A message without what it says of the single case."""
    return re.sub(r"no variant or record of .*|\b(self\.\w+|case_\w+|\d+)(\[\w*\])?", "_", reason)[:70]


def tallied(numbers: Iterable[int]) -> Tally:
    """Run the cases of these numbers."""
    tally, every = Tally(), cases()
    for number, case, outcome in run((n, every[n]) for n in numbers):
        tally.add(number, case, outcome)
    return tally


def whole(numbers: range, echo: bool = False) -> Tally:
    """Run many cases in processes of their own, one after the other: the front end keeps every text that it has
    read."""
    tally = Tally()
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        for part in pool.map(tallied, [numbers[i : i + CHUNK] for i in range(0, len(numbers), CHUNK)]):
            tally.include(part)
            if echo:
                for number, case, outcome in sorted(
                    (f for found in part.wrong.values() for f in found), key=lambda f: f[0]
                ):
                    print(
                        "!", number, case.kind, "|", case.text, "|", outcome.reason[:200].replace("\n", " "), flush=True
                    )
    return tally


def main() -> None:
    """What the arguments ask for."""
    given = [int(a) for a in sys.argv[1:]]
    if len(given) == 1:
        for number, case, outcome in run([(given[0], cases()[given[0]])]):
            print(
                f"case {number}, {case.family}, {case.construct}, {case.kind}: "
                f"{outcome.verdict}\n{outcome.reason}\n{outcome.text}"
            )
        return
    first, last, step = (*given, *(0, len(cases()), 1)[len(given) :])
    begun = time.monotonic()
    tally = whole(range(first, min(last, len(cases())), step), echo=True)
    print(tally)
    print(f"\n{time.monotonic() - begun:.0f} seconds")


if __name__ == "__main__":
    main()

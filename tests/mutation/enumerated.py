"""Cases of the enumeration of the language as tests: Python against the lowered model, in the cases that execute a
line.

A mutant is noticed by an answer that differs from Python's, a failure inside the program, or a case that is no longer
accepted or refused as without the change.
"""

from __future__ import annotations

import json
import random
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs

from tests.language.enumeration.case import Case
from tests.mutation.covered import Covering, Recorder, read, span, text_of
from tests.mutation.forked import forked
from tests.mutation.mutants import ROOT

CASES = 6000
SEED = 1
OF_LINE, OF_FUNCTION, OF_FILE = 150, 60, 30
"""Cases that a mutant meets: those that execute its line, its function, its file."""
FIRST = 40
"""Cases that are run before the others: most mutants are noticed by them."""
LIMIT = 900.0


Cases = dict[int, Case]


def _version() -> str:
    """Of the program and the tables of cases: what a case does without a mutant depends on both."""
    files = sorted([*(ROOT / "checker").rglob("*.py"), *(ROOT / "tests/language/enumeration").glob("*.py")])
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def sampled(cache: Path) -> Cases:
    """The cases of the sample by their numbers.  Their tables import the language, so another process makes them."""
    kept = cache / f"cases.{_version()}.json"
    if not kept.exists():
        ended = forked(lambda place: _cases(), LIMIT)
        assert ended.answer and not ended.answer.startswith("failed"), ended
        kept.write_text(ended.answer)
    return {number: _case(values) for number, values in json.loads(kept.read_text())}


def _case(values: dict[str, Any]) -> Case:
    return Case(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})  # type: ignore[arg-type]


def _cases() -> str:
    from tests.language.enumeration.cases import cases

    every = cases()
    return json.dumps([[n, attrs.asdict(every[n])] for n in sample(every)])


def sample(cases: tuple[Case, ...], most: int = CASES) -> list[int]:
    """Numbers of cases, the same ones from each family for the same tables."""
    random_ = random.Random(SEED)
    families: dict[str, list[int]] = {}
    for number, case in enumerate(cases):
        families.setdefault(case.family, []).append(number)
    share = most // len(families)
    return sorted(n for numbers in families.values() for n in random_.sample(numbers, min(share, len(numbers))))


def recorded(cache: Path, cases: Cases) -> dict[str, list[Covering]]:
    """By verdict: the cases of the sample with what they execute."""
    kept = cache / f"enumeration.{_version()}.json"
    if not kept.exists():
        ended = forked(lambda place: _record(cases), LIMIT)
        assert ended.answer and not ended.answer.startswith("failed"), ended
        kept.write_text(ended.answer)
        print(f"recorded the enumeration: {ended.seconds:.0f} s", flush=True)
    found: dict[str, list[Covering]] = {}
    for case in read(kept.read_text()):
        number, verdict = case.name.split(" ")
        found.setdefault(verdict, []).append(Covering(number, case.seconds, case.lines))
    return found


def _record(cases: Cases) -> str:
    from tests.language.enumeration import pack, runs

    recorder, found = Recorder(), []
    judge = pack.judge

    def recorded_judge(*arguments: object) -> object:
        begun = time.process_time()
        with recorder.recording() as lines:
            outcome = judge(*arguments)  # type: ignore[arg-type]
        found.append(Covering("", time.process_time() - begun, lines))
        return outcome

    runs.judge = recorded_judge  # type: ignore[assignment]
    outcomes = list(runs.run(cases.items()))
    return text_of(
        [
            Covering(f"{n} {o.verdict}", c.seconds, c.lines)
            for (n, _, o), c in zip(outcomes, found, strict=True)
            if not o.wrong
        ]
    )


def chosen(
    found: dict[str, list[Covering]], file: str, line: int, function: tuple[int, int] | None, seed: str
) -> dict[int, str]:
    """The cases that a mutant there meets, with their verdicts; drawn, as many with each verdict as there are."""
    random_, ranked = random.Random(seed), []
    # it defines types: nothing in it is executed
    everywhere = not any(file in case.lines for cases in found.values() for case in cases)
    for verdict, cases in sorted(found.items()):
        groups: list[list[Covering]] = [[], [], []]
        for case in cases:
            bits = case.lines.get(file, 0)
            if bits or everywhere:
                groups[0 if bits >> line & 1 else 1 if function and bits & span(function) else 2].append(case)
        for rank, (group, most) in enumerate(zip(groups, (OF_LINE, OF_FUNCTION, OF_FILE))):
            ranked += [
                (rank, place, int(c.name), verdict)
                for place, c in enumerate(random_.sample(group, min(most, len(group))))
            ]
    return {number: verdict for _, _, number, verdict in sorted(ranked)}


def first_difference(cases: Cases, verdicts: dict[int, str]) -> str:
    """Run these cases; what the first that differs does, or nothing."""
    from tests.language.enumeration.runs import run

    numbers = list(verdicts)
    for some in (numbers[:FIRST], numbers[FIRST:]):
        for number, case, outcome in run((n, cases[n]) for n in some):
            if outcome.verdict != verdicts[number]:
                return f"enumeration {number} ({verdicts[number]}, now {outcome.verdict}): {case.text}"
    return ""

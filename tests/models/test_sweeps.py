"""docs/sweeps.md: each sweep it declares gives what stands below it."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from benchmarks.declared_sweeps import OUTCOMES, PAGE, declared, number, result, table, with_result
from checker.analysis.sweep.choices import choices_of
from checker.analysis.sweep.sweep import sweep
from checker.search.limits import Limits

TEXT = PAGE.read_text("utf-8")
DECLARED = declared(TEXT)


def test_the_page_declares_a_sweep_for_each_command() -> None:
    """No command stands without its result, and none twice."""
    assert len(DECLARED) == TEXT.count("\nchecker sweep ") == len({command for command, _ in DECLARED}) > 80
    assert all(lines is not None for _, lines in DECLARED)


def test_each_property_is_accounted_for_in_each_configuration() -> None:
    """What is violated, holds, was never put to the test and is not decided is all there is: no configuration was
    passed over."""
    for command, lines in DECLARED:
        *sentences, last = (lines or "").splitlines()
        for sentence in sentences:
            told = [number(n) for n in re.findall(rf"(?:{OUTCOMES}) in ([\d,]+)", sentence)]
            assert sum(told) == number(last.split()[0]), (command, sentence)


def test_the_table_counts_what_stands_below() -> None:
    """A line for each protocol."""
    assert table(TEXT) in TEXT


def test_a_result_is_written_below_the_command_that_gave_it() -> None:
    """Whether it had one before or not; what stands around it stays."""
    page = (
        "Before.\n\n```sh\nchecker sweep a -D n=1\n```\n\n```sh\nchecker sweep b -D n=1\n```\n\n```text\n1 "
        "configuration\n```\n\nBehind.\n"
    )
    assert declared(page) == [("checker sweep a -D n=1", None), ("checker sweep b -D n=1", "1 configuration")]
    page = with_result(
        with_result(page, "checker sweep a -D n=1", "3 configurations"), "checker sweep b -D n=1", "2 configurations"
    )
    assert declared(page) == [
        ("checker sweep a -D n=1", "3 configurations"),
        ("checker sweep b -D n=1", "2 configurations"),
    ]
    assert page.startswith("Before.\n") and page.endswith("\nBehind.\n")


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "expected"), DECLARED, ids=[c.split()[2] for c, _ in DECLARED])
def test_a_declared_sweep_gives_its_table(command: str, expected: str) -> None:
    """The same number of configurations, and the same first violation of each property."""
    assert result(command) == expected


GROUPS = "groups=1,1,1|1,1,2|1,2,1|1,2,2|1,2,3"
ALIKE = sorted(
    {
        (found[1], found[2], "groups=" in command)
        for command, _ in DECLARED
        if (found := re.match(r"checker sweep (\S+) -D workload='1\.\.4 over 2\.\.[34] (alike[^'|]*)'", command))
    }
)


def kind(distribution: tuple[int, ...], groups: tuple[int, ...], alike: str) -> tuple[object, ...]:
    """What configurations have in common that a sweep takes for one: the first of all that renaming processes, and then
    groups, makes of it."""
    found = []
    for order in permutations(range(len(distribution))):
        senders = [p for p in order if distribution[p] > 0]
        if (
            alike == "alike"
            or (alike == "alike but p1" and order[0] == 0)
            or (alike == "alike if silent" and senders == sorted(senders))
        ):
            names: dict[int, int] = {}
            found.append(
                (tuple(distribution[p] for p in order), tuple(names.setdefault(groups[p], len(names)) for p in order))
            )
    return min(found)


@pytest.mark.parametrize(
    ("model", "alike", "grouped"),
    [pytest.param(*claim, marks=pytest.mark.thorough if ":" in claim[0] or claim[2] else ()) for claim in ALIKE],
)
def test_distributions_taken_for_one_have_the_same_states(model: str, alike: str, grouped: bool) -> None:
    """Two messages of three processes, with a crash and without: as many states, verdicts and steps wherever the
    senders are, if the page leaves out all but one."""
    choices = ["workload=2 over 3", "crashes=0..1", *([GROUPS] if grouped else [])]
    found = sweep(model, choices_of(choices), limits=Limits(max_states=100_000), stop_at_first=False, jobs=1)
    kinds: dict[tuple[object, ...], set[object]] = {}
    for row in found.searched:
        given = row.configuration.given
        counts = (row.distinct, row.transitions, row.depth, *((p.name, p.verdict, p.steps) for p in row.properties))
        same = given["crashes"], kind(given["workload"], given.get("groups", (1, 1, 1)), alike)
        kinds.setdefault(same, set()).add(counts if row.bound is None else row.bound)
    assert sum(len(seen) for seen in kinds.values()) == len(kinds) < len(found.searched)

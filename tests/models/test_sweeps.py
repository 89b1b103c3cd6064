"""docs/sweeps.json: each sweep it declares gives its result; docs/sweeps.md counts them and names what they violate."""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from benchmarks.declared_sweeps import (
    FILE,
    OUTCOMES,
    PAGE,
    Declared,
    as_text,
    declared,
    number,
    result,
    table,
    with_result,
)
from checker.analysis.sweep.choices import choices_of
from checker.analysis.sweep.sweep import sweep
from checker.search.limits import Limits

TEXT, PROTOCOLS = PAGE.read_text("utf-8"), declared(FILE.read_text("utf-8"))
DECLARED = [s for p in PROTOCOLS for s in p.sweeps]


def test_each_declared_onehas_a_result() -> None:
    """No command stands without its result, and none twice; the file is as the command that fills it writes it."""
    assert len(DECLARED) == len({s.command for s in DECLARED}) > 80
    assert all(s.command.startswith("checker sweep ") and s.result for s in DECLARED)
    assert as_text(PROTOCOLS) == FILE.read_text("utf-8")


def test_each_property_is_accounted_for_in_each_configuration() -> None:
    """What is violated, holds, was never put to the test and is not decided is all there is: no configuration was
    passed over."""
    for s in DECLARED:
        for sentence in (s.result or ())[:-1]:
            told = [number(n) for n in re.findall(rf"(?:{OUTCOMES}) in ([\d,]+)", sentence)]
            assert sum(told) == s.configurations, (s.command, sentence)


def test_the_page_has_a_section_for_each_protocol_and_counts_its_sweeps() -> None:
    """A line of the table for each protocol, and a heading."""
    assert table(PROTOCOLS) in TEXT and f"declares {len(DECLARED)} sweeps" in TEXT
    assert re.findall(r"^### (.*)$", TEXT, re.MULTILINE) == [p.protocol for p in PROTOCOLS]


def test_the_result_that_the_page_explains_is_one_of_the_file() -> None:
    """Its lines are those of one sweep."""
    shown = TEXT.partition("```text\n")[2].partition("\n```")[0].splitlines()
    assert any(set(shown) <= set(s.result or ()) for s in DECLARED)


def test_a_result_is_stored_with_the_command_that_gave_it() -> None:
    """Whether it had one before or not; the others stay."""
    text = (
        '[{"protocol": "P", "sweeps": [{"about": "", "command": "checker sweep a", "result": null}, '
        '{"about": "b", "command": "checker sweep b", "result": ["1 configuration"]}]}]'
    )
    filled = with_result(declared(text), "checker sweep a", ("3 configurations",))
    again = declared(as_text(with_result(filled, "checker sweep b", ("2 configurations",))))
    assert [(s.about, s.result) for s in again[0].sweeps] == [("", ("3 configurations",)), ("b", ("2 configurations",))]


@pytest.mark.thorough
@pytest.mark.parametrize("one", DECLARED, ids=[s.command.split()[2] for s in DECLARED])
def test_a_declared_one_gives_its_result(one: Declared) -> None:
    """The same number of configurations, and the same first violation of each property."""
    assert result(one.command) == one.result


GROUPS = "groups=1,1,1|1,1,2|1,2,1|1,2,2|1,2,3"
ALIKE = sorted(
    {
        (found[1], found[2], "groups=" in command)
        for command in (s.command for s in DECLARED)
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


EACH_BUILD = ("basic_multicast", "reliable_multicast", "s_toto", "sequencer", "stale_discard")
"""Two multicasts, a total order, and one claim of each other kind."""


@pytest.mark.parametrize("most", [3_000, *(pytest.param(n, marks=pytest.mark.thorough) for n in (20_000, 100_000))])
@pytest.mark.parametrize(
    ("model", "alike", "grouped"),
    [
        pytest.param(*claim, marks=() if claim[0] in EACH_BUILD and not claim[2] else pytest.mark.thorough)
        for claim in ALIKE
    ],
)
def test_distributions_taken_for_one_have_the_same_states(model: str, alike: str, grouped: bool, most: int) -> None:
    """Two messages of three processes, with a crash and without: as many states, verdicts and steps wherever the
    senders are, if the commands leave out all but one.  Of larger searches nothing is compared."""
    choices = ["workload=2 over 3", "crashes=0..1", *([GROUPS] if grouped else [])]
    found = sweep(model, choices_of(choices), limits=Limits(max_states=most), stop_at_first=False, jobs=1)
    kinds: dict[tuple[object, ...], set[object]] = {}
    for row in found.searched:
        given = row.configuration.given
        counts = (row.distinct, row.transitions, row.depth, *((p.name, p.verdict, p.steps) for p in row.properties))
        same = given["crashes"], kind(given["workload"], given.get("groups", (1, 1, 1)), alike)
        kinds.setdefault(same, set()).add(counts if row.bound is None else row.bound)
    assert sum(len(seen) for seen in kinds.values()) == len(kinds) < len(found.searched)

"""Algorithm 3 as printed: four processes and four messages are the smallest configuration that violates total order.

An explorer of its own decides everything smaller (`algorithm_3_printed.py`): all distributions of the messages, all
divisions into groups, and all choices of destinations.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from tests.models.algorithm_3_printed import (
    Configuration,
    Passes,
    Stamp,
    delivered_by,
    disagreement,
    histories,
    runs,
    strict,
    whole_runs,
)

PROCESSES = MESSAGES = 4
SIZES = [(n, m) for n in range(1, PROCESSES + 1) for m in range(1, MESSAGES + 1) if (n, m) != (PROCESSES, MESSAGES)]
SHOWN = Configuration((2, 2, 0, 0), (1, 2, 3, 3), (frozenset({3}),) * 4)
EQUAL = Configuration((1, 1, 0, 0), (1, 2, 3, 3), (frozenset({3}),) * 2)


def loose(t: Stamp, barrier: Stamp) -> bool:
    """<= in l. 40."""
    return t <= barrier


def distributions(messages: int, processes: int) -> list[tuple[int, ...]]:
    return [c for c in product(range(messages + 1), repeat=processes) if sum(c) == messages]


def divisions(processes: int) -> list[tuple[int, ...]]:
    """Into groups, numbered in the order of their first processes."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(processes):
        found = [(*groups, g) for groups in found for g in range(1, max(groups, default=0) + 2)]
    return found


def configurations(processes: int, messages: int) -> Iterator[Configuration]:
    """All of this size."""
    for workload, groups in product(distributions(messages, processes), divisions(processes)):
        yield from destined(workload, groups)


def destined(workload: tuple[int, ...], groups: tuple[int, ...]) -> Iterator[Configuration]:
    """With each choice of destinations."""
    every = range(1, max(groups) + 1)
    sets = [frozenset(g for g in every if bits >> g & 1) for bits in range(2, 2 << max(groups), 2)]
    for destinations in product(sets, repeat=sum(workload)):
        yield Configuration(workload, groups, destinations)


def distinct(processes: int, messages: int) -> set[Configuration]:
    """All of this size but for names.  A new name changes neither how many processes multicast how much nor their
    groups in another way for other destinations, so only what renamed ones have is gone through."""
    nowhere = (frozenset[int](),) * messages
    every = product(distributions(messages, processes), divisions(processes))
    shapes = {(c.workload, c.groups) for c in (renamed(Configuration(*shape, nowhere)) for shape in every)}
    return {renamed(c) for shape in shapes for c in destined(*shape)}


def renamed(c: Configuration) -> Configuration:
    """The same with other names of groups and processes: those that multicast more come first."""
    counts = {g: sorted((n for n, of in zip(c.workload, c.groups) if of == g), reverse=True) for g in set(c.groups)}
    name = {g: i for i, g in enumerate(sorted(counts, key=lambda g: counts[g], reverse=True), start=1)}
    start = [sum(c.workload[:p]) for p in range(len(c.groups))]
    to = [
        [frozenset(name[g] for g in one) for one in c.destinations[first : first + count]]
        for first, count in zip(start, c.workload)
    ]
    order = sorted(
        range(len(c.groups)), key=lambda p: (name[c.groups[p]], -c.workload[p], [sorted(one) for one in to[p]])
    )
    return Configuration(
        tuple(c.workload[p] for p in order),
        tuple(name[c.groups[p]] for p in order),
        tuple(one for p in order for one in to[p]),
    )


def test_two_messages_of_each_of_two_groups_violate_total_order() -> None:
    """m1.1 and m2.1, which have equal timestamps, at the two processes of a group that only receives."""
    assert SHOWN.messages == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert disagreement(SHOWN) == (0, 2)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}-processes-{size[1]}-messages")
def test_nothing_smaller_violates_it(size: tuple[int, int]) -> None:
    """Configurations that differ only by names are decided once."""
    assert [c for c in distinct(*size) if disagreement(c)] == []


def test_there_are_so_many_smaller_configurations() -> None:
    """Counted before those that differ only by names are taken together."""
    assert sum(1 for size in SIZES for _ in configurations(*size)) == 163_608
    assert len(set(configurations(3, 2))) == 6 * (1 + 3 * 3**2 + 7**2)  # by the number of groups


def test_names_do_not_change_whether_two_processes_disagree() -> None:
    """With <= in line 40 some configurations of two messages violate total order, and their renamed ones do."""
    every = list(configurations(4, 2))
    violated = [c for c in every if disagreement(c, loose)]
    assert violated == [c for c in every if disagreement(renamed(c), loose)]
    assert 0 < len(violated) < len(every) / 2
    assert {renamed(renamed(c)) for c in every} == distinct(4, 2)


def test_with_less_than_or_equal_in_line_40_two_messages_violate_it() -> None:
    """So the explorer finds what fails in smaller configurations, too."""
    assert disagreement(EQUAL, loose) == (0, 1)
    assert disagreement(EQUAL) is None


def test_a_group_decides_larger_timestamps_in_turn() -> None:
    """And none of two that are equal and decided together (l. 27); with one message before the other, the second is
    raised (l. 30)."""
    assert histories((1,), 2) == {((0, (1, 0)),), ((0, (2, 0)),)}
    one_each = histories((1, 1), 1)
    assert one_each == {((0, (1, 0)), (1, (1, 1))), ((1, (1, 0)), (0, (1, 1)))}
    assert all(t < x for history in histories((2, 1), 3) for (_, t), (_, x) in zip(history, history[1:]))


PARTS = [
    (Configuration((1, 1), (1, 1), (frozenset({1}),) * 2), strict),
    (Configuration((2, 0), (1, 2), (frozenset({2}),) * 2), strict),
    (Configuration((2, 1), (1, 2), (frozenset({2}), frozenset({2}), frozenset({1}))), strict),
    (Configuration((2, 0, 0), (1, 1, 2), (frozenset({2}),) * 2), strict),
    (EQUAL, loose),
    pytest.param(Configuration((2, 2, 0), (1, 2, 3), (frozenset({3}),) * 4), strict, marks=pytest.mark.thorough),
    pytest.param(Configuration((2, 1, 0), (1, 1, 2), (frozenset({2}),) * 3), strict, marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("c", "passes"), PARTS)
def test_the_parts_give_what_whole_runs_give(c: Configuration, passes: Passes) -> None:
    """What a group decides does not depend on what it gets from others: all combinations of parts are runs."""
    by_parts = {
        delivered for run in runs(c) for delivered in product(*(delivered_by(c, g, run, passes) for g in c.groups))
    }
    assert by_parts == whole_runs(c, passes)
    assert len(by_parts) > 1 or c.senders_to(c.groups[0]) == {1}

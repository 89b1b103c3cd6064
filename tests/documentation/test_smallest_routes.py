"""Two smallest configurations hold only if sendersTo names every group that multicasts: everything smaller with such
sendersTo is searched here, every choice of destinations too.

`below` in benchmarks/smallest.py gives sweeps, in which the values of sendersTo cannot depend on the destinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import pytest
from attrs import frozen

from benchmarks.smallest import divisions, sets
from checker.analysis.check import examine
from checker.analysis.sweep.choices import choices_of, combinations
from checker.catalogue import find
from checker.search.limits import Limits
from tests.documentation.test_smallest import NOT_SEARCHED

STATES = 1_000_000


@frozen
class Claim:
    """A sentence, the model and the property, the constants that stay, the violation, and the sizes of everything
    smaller: processes, messages and the most groups.  In three groups of one process no group has a second copy of a
    request, as the text says of line 12."""

    sentence: str
    model: str
    violated: str
    kept: Mapping[str, Any]
    shown: Mapping[str, Any]
    smaller: tuple[tuple[int, int, int], ...]


CLAIMS = [
    Claim(
        "*Smallest configuration:* three processes in two groups, a message of each group for itself, each group in "
        "sendersTo of both.",
        "optimistic_multicast_3:OrderedByIdentifier",
        "Termination",
        {"ticks": 1},
        {"workload": (1, 0, 1), "groups": (1, 1, 2), "destinations": (1, 2), "senders_to": (12, 12)},
        ((1, 1, 1), (1, 2, 1), (2, 1, 2), (2, 2, 2), (3, 1, 2)),
    ),
    Claim(
        "*Smallest configuration:* three groups of one process, one message, four steps",
        "optimistic_multicast_3:QuasiGenuinely",
        "NoStrangers",
        {},
        {"workload": (1, 0, 0), "groups": (1, 2, 3), "destinations": (13,), "senders_to": (1, 2, 123)},
        ((1, 1, 1), (2, 1, 2)),
    ),
]


def routes(processes: int, messages: int, most: int) -> Iterator[dict[str, Any]]:
    """Every distribution, division and choice of destinations, with every sendersTo that names the groups that
    multicast; sendersTo of a group that nothing is for is not read."""
    for groups, workload in product(divisions(processes), distributions(processes, messages)):
        of = [int(g) for g in groups.split(",") if g]
        if max(of) > most:
            continue
        sources = [of[p] for p, count in enumerate(workload) for _ in range(count)]
        for destinations in sets(max(of), messages, 1):
            to = [d for d in destinations.split(",") if d]
            for senders in product(*(naming(g, max(of), sources, to) for g in range(1, max(of) + 1))):
                yield {
                    "workload": workload,
                    "groups": tuple(of),
                    "destinations": tuple(map(int, to)),
                    "senders_to": tuple(map(int, senders)),
                }


def distributions(processes: int, messages: int) -> list[tuple[int, ...]]:
    """Of so many messages."""
    return [c["workload"] for c in combinations(choices_of([f"workload={messages} over {processes}"]))]


def naming(group: int, groups: int, sources: Sequence[int], to: Sequence[str]) -> list[str]:
    """The sets of groups with all that multicast to this one."""
    needed = {str(source) for source, destinations in zip(sources, to) if str(group) in destinations}
    every = [one.rstrip(",") for one in sets(groups, 1, 0)]
    return [one for one in every if needed <= set(one)] if needed else ["0"]


def verdict(claim: Claim, at: Mapping[str, Any]) -> str:
    """Of the property."""
    report = examine(
        find(claim.model).cls,
        claim.model,
        {**claim.kept, **at},
        only=[claim.violated],
        limits=Limits(max_states=STATES),
        traces=False,
        count_outcomes=False,
    ).report
    return str(report.properties[0].verdict.value)


def test_the_claims_are_those_of_the_pages_that_no_sweep_decides() -> None:
    """Each stands in the list of `test_smallest.py`."""
    assert {claim.sentence for claim in CLAIMS} == NOT_SEARCHED


def test_senders_to_names_every_group_that_multicasts() -> None:
    """Of two processes with one message: in one group, and in two, for each destination."""
    assert [tuple(at.values()) for at in routes(2, 1, 2)][:4] == [
        ((1, 0), (1, 1), (1,), (1,)),
        ((0, 1), (1, 1), (1,), (1,)),
        ((1, 0), (1, 2), (1,), (1, 0)),
        ((1, 0), (1, 2), (1,), (12, 0)),
    ]
    assert [len(list(routes(*size))) for size in CLAIMS[0].smaller] == [1, 1, 18, 86, 75]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.model)
def test_the_configuration_shows_it_and_one_message_of_one_process_does_not(claim: Claim) -> None:
    assert verdict(claim, claim.shown) == "violated"
    assert [verdict(claim, at) for at in routes(1, 1, 1)] == ["holds"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("claim", "size"), [pytest.param(c, s, id=f"{c.model}-{s[0]}-{s[1]}") for c in CLAIMS for s in c.smaller[1:]]
)
def test_nothing_smaller_shows_it(claim: Claim, size: tuple[int, int]) -> None:
    """Every configuration is decided."""
    assert [at for at in routes(*size) if verdict(claim, at) != "holds"] == []

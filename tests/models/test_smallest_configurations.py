"""A violation is shown in a smallest configuration: with one message, idle process or fault less than the smallest one
stated, the property is not violated.

One step less is enough to look at where a run of a smaller configuration is also the beginning of one of a larger,
which is so for invariants and budgets of faults. Constants other than the workload, the number of processes and the
budgets are left as they are stated. Where an edit violates what the model before the edit keeps, a smaller
configuration counts only if that holds of it as well: in others the fault is not the edit's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from checker.analysis.check import examine
from checker.analysis.verify import cases
from checker.catalogue import Entry, catalogue
from checker.language.define import define
from checker.language.distributed import BUDGETS
from checker.language.errors import UsageError
from checker.results.sweep import size
from checker.results.verified import Case
from checker.search.limits import Limits

ENTRIES = [e for e in catalogue().entries if any(case.expectation.violated for case in cases(e))]
ENOUGH = Limits(max_states=50_000)


def stated(entry: Entry) -> dict[str, Case]:
    """For each property that is expected to be violated somewhere the smallest configuration stated."""
    found: dict[str, list[Case]] = {}
    for case in cases(entry, thorough=True):
        for name in case.expectation.violated:
            found.setdefault(name, []).append(case)
    return {
        name: min(its, key=lambda c: size(define(entry.cls, c.expectation.at).constants)) for name, its in found.items()
    }


def smaller(constants: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The configurations with one message, one process without messages, or one fault less."""
    workload, destinations = constants.get("workload", ()), constants.get("destinations", ())
    groups = constants.get("groups", (1,) * len(workload))
    for i, count in enumerate(workload):
        if count > 0:
            last = sum(workload[:i]) + count - 1  # of what the process multicasts
            rest = {"destinations": (*destinations[:last], *destinations[last + 1 :])} if destinations else {}
            yield {"workload": (*workload[:i], count - 1, *workload[i + 1 :]), **rest}
        elif groups.count(groups[i]) > 1:  # no group loses its last process
            without = {
                name: (*constants[name][:i], *constants[name][i + 1 :])
                for name in ("workload", "groups")
                if name in constants
            }
            yield {"processes": len(workload) - 1, **without}
    for name in BUDGETS:
        if constants.get(name, 0) > 0:
            yield {name: constants[name] - 1}


def test_one_less_is_a_message_an_idle_process_or_a_fault() -> None:
    """A process with messages is not left out, nor a fault that there is none of."""
    assert list(smaller({"workload": (2, 0), "crashes": 1, "losses": 0})) == [
        {"workload": (1, 0)},
        {"processes": 1, "workload": (2,)},
        {"crashes": 0},
    ]
    assert list(smaller({"workload": (2, 1), "groups": (1, 2), "destinations": (1, 12, 2)})) == [
        {"workload": (1, 1), "destinations": (1, 2)},
        {"workload": (2, 0), "destinations": (1, 12)},
    ]
    assert list(smaller({"workload": (1, 0, 0), "groups": (1, 2, 2)})) == [
        {"workload": (0, 0, 0)},
        {"processes": 2, "workload": (1, 0), "groups": (1, 2)},
        {"processes": 2, "workload": (1, 0), "groups": (1, 2)},
    ]


def violated(cls: type[Any], name: str, constants: Mapping[str, Any]) -> bool:
    """A short search finds that the property is violated; not so if the model refuses the configuration: groups without
    members, a workload of nothing."""
    try:
        report = examine(
            cls, cls.__name__, dict(constants), only=[name], limits=ENOUGH, traces=False, count_outcomes=False
        ).report
    except UsageError:
        return False
    return any(p.name == name and p.verdict == "violated" for p in report.properties)


def before(entry: Entry) -> type[Any] | None:
    """The model that an edit edits."""
    return next((c for c in entry.cls.__mro__[1:] if c.__name__ == entry.edit_of), None)


@pytest.mark.thorough
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.reference)
def test_nothing_smaller_shows_it(entry: Entry) -> None:
    """Each property, in each configuration that is one step smaller than the smallest stated for it."""
    enough = []
    for name, case in stated(entry).items():
        for less in smaller(define(entry.cls, case.expectation.at).constants):
            given = {**case.expectation.at, **less}
            if violated(entry.cls, name, given):
                base = before(entry)
                if base is None or not violated(base, name, given) or violated(base, name, case.expectation.at):
                    enough.append((name, given))
    assert enough == []

"""The actions that a change disables in a model that still holds: a protocol that does less keeps every promise.

If an edit drops a `send`, no message of that kind is ever received, and nothing that its handler might break is tested.
Each action that no expectation of a class enables now is looked for in the class as it was where the branch left the
other: with the constants of each expectation, in a search of at most MOST_STATES states and SECONDS, all of them in
ALL_SECONDS.  If some state of it enabled the action, the expectation says less than before.

Where it stops: nothing is claimed of a class with an expectation that is not met or not decided, and only complete
searches without reduction show that an action is enabled nowhere.  An action that is gone, or is enabled in fewer
states than before, is no finding: the comparison of the comment shows that.  Faults are no actions of the protocol.
An edit that inherits a disabled action is not named beside its base.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from checker.analysis.compare.revision import NoSuchClass, at_revision
from checker.analysis.former_claims import removed
from checker.analysis.since import Touched
from checker.catalogue import Entry
from checker.engines.registry import explore
from checker.engines.request import Request
from checker.language.constants import written
from checker.language.define import define
from checker.language.errors import Undecided, UsageError
from checker.language.model import Model
from checker.replay.own_constants import former_constants
from checker.results.checked import Report
from checker.results.removed import Removed
from checker.results.verified import Verified
from checker.search.limits import Limits
from checker.wording import counted, listed

MOST_STATES, SECONDS, ALL_SECONDS = 200_000, 20.0, 60.0


@frozen
class Disabled:
    """removed: a class of which the change disables actions, in words; unknown: the actions for which a search of the
    class as it was is not decisive, a sentence each.
    """

    removed: tuple[Removed, ...] = ()
    unknown: tuple[str, ...] = ()


@frozen
class _Before:
    """How many states enabled each action; why these are not all states, "" if they are."""

    enabled: Mapping[str, int]
    stopped: str


def disabled(results: Sequence[Verified], change: Touched) -> Disabled:
    """The actions that the classes of a change no longer enable.  results: of all expectations that it touches."""
    entries = {entry.reference: entry for entry in change.stating}
    told, unknown, named = list[Removed](), list[str](), set[tuple[type[Model], str]]()
    until = time.monotonic() + ALL_SECONDS
    for reference, several in _met(results).items():
        entry = entries.get(reference)
        if entry is None:
            continue
        idle = [name for name in _idle(several) if not any((base, name) in named for base in entry.cls.__mro__)]
        try:
            found = _compared(entry, idle, several, change, until) if idle else Disabled()
        except NoSuchClass:  # it is new
            continue
        except (UsageError, Undecided) as error:
            unknown.append(_unknown(reference, listed(idle), error.message))
            continue
        told += found.removed
        unknown += found.unknown
        named |= {(entry.cls, name) for name in idle}
    return Disabled(tuple(told), tuple(unknown))


def _met(results: Sequence[Verified]) -> dict[str, list[tuple[Verified, Report]]]:
    """The results of each class of which every expectation is met, the classes with fewest bases first."""
    found, other = dict[str, list[tuple[Verified, Report]]](), set[str]()
    for result in sorted(results, key=lambda result: len(result.case.cls.__mro__)):
        if result.met and result.report is not None:
            found.setdefault(result.case.reference, []).append((result, result.report))
        else:
            other.add(result.case.reference)
    return {reference: several for reference, several in found.items() if reference not in other}


def _idle(several: Sequence[tuple[Verified, Report]]) -> list[str]:
    """The actions that no state of these searches enables, and that one of them shows to be enabled nowhere."""
    enabled = {a.name for _, report in several for a in report.actions if a.enabled}
    actions = (a for _, report in several if _is_whole(report) for a in report.actions if not a.fault)
    return [*dict.fromkeys(a.name for a in actions if a.name not in enabled)]


def _is_whole(report: Report) -> bool:
    return report.complete and not report.reduced


def _compared(
    entry: Entry, idle: Sequence[str], several: Sequence[tuple[Verified, Report]], change: Touched, until: float
) -> Disabled:
    """What the class enabled before, with the constants of the first expectation with which it did.  until: when no
    further search begins.
    """
    found, left = dict[str, Removed](), dict[str, str]()
    with at_revision(entry, change.commit) as former:
        for result in (result for result, report in several if _is_whole(report)):
            open_now = [name for name in idle if name not in found]
            if not open_now:
                break
            if time.monotonic() > until:
                left = dict.fromkeys(open_now, "there was no time for its search") | left
                break
            before = _enabled(former.entry.cls, result)
            for name in open_now:
                if number := before.enabled.get(name, 0):
                    found[name] = _removed(entry, name, number, result, change)
                elif name in before.enabled and before.stopped:
                    left.setdefault(name, before.stopped)
    unknown = (_unknown(entry.reference, name, why) for name, why in left.items() if name not in found)
    return Disabled(tuple(found.values()), tuple(unknown))


def _enabled(former: type[Model], result: Verified) -> _Before:
    """In how many states the former class enables each of its actions, with the constants of an expectation of
    today."""
    now = define(result.case.cls, result.case.expectation.at, [])
    definition = define(former, former_constants(former, now), [])
    limits = Limits(max_states=MOST_STATES, max_seconds=SECONDS).begun()
    explored = explore(Request(definition, definition.name, [], limits=limits, stop_at_first=False))
    why = "" if explored.bound is None else f"its search was {explored.bound.ended}"
    return _Before({a.name: a.enabled for a in explored.actions}, why)


def _unknown(reference: str, names: str, why: str) -> str:
    return f"whether {reference} enabled {names} before the change is not known: {why}"


def _removed(entry: Entry, name: str, number: int, result: Verified, change: Touched) -> Removed:
    """What is said of one action; at the line of the changed part that comes first in the class."""
    parts = change.parts.get(entry.reference, ())
    of = next((part.name for part in parts if part.owner == entry.cls.__name__), name)
    given = " ".join(f"{n}={written(v)}" for n, v in result.case.expectation.at.items())
    there = f" with {given}" if given else ""
    text = f"the change disables {name}: enabled in {counted(number, 'state')} before, in none now{there}"
    return evolve(removed(entry, change, text, of), at=result.case.expectation.at)

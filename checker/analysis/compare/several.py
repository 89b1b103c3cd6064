"""A comparison in several configurations, within a time.

The verdicts and outcomes of all configurations are compared first, the smallest configuration first.  While time is
left and no property is broken, the sequences of events and the steps of those configurations are compared in which
nothing differs so far: a change that no property observes shows there. One configuration is then compared in detail
(`checker.analysis.compare.comparison`), with the searches already made.

The first configuration has all the time that a search may take, the others share the remaining time.  Unless a time was
requested, the comparison ends soon after a property is found broken, because other configurations only add to this
answer.  A configuration for which there was no time is named, and nothing is claimed of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from typing import Any, Unpack

from attrs import define as mutable
from attrs import evolve, field

from checker.analysis.compare.behaviours import behaviour_difference
from checker.analysis.compare.beyond import rules_beyond
from checker.analysis.compare.comparison import RULE_SECONDS, STEP_SECONDS, Parts, detailed
from checker.analysis.compare.outcomes import kinds_alone
from checker.analysis.compare.pair import (
    Announce,
    Configured,
    Pair,
    property_changes,
    require_reducible,
    searched,
    silent,
)
from checker.analysis.compare.side import Side
from checker.analysis.compare.stated import in_order
from checker.analysis.compare.steps import step_difference
from checker.language.constants import written
from checker.language.errors import Undecided, UsageError
from checker.results.comparison import BehaviourDifference, Comparison, StepDifference, in_common, not_decided
from checker.results.configurations import FamilyComparison, Looked, Passed
from checker.results.validated import together
from checker.results.verdict import Compared
from checker.search.limits import NO_LIMITS, Limits
from checker.wording import counted

WITHIN, ONCE_BROKEN = 30.0, 5.0
LATE = "the time was over"
RANKS = (Compared.BROKEN, Compared.CHANGED, Compared.INCONCLUSIVE)  # what is shown before "no difference"
Breaking = Callable[[Pair], None]


def compare_family(
    before: Side,
    after: Side,
    wanted: Iterable[Mapping[str, Any]],
    *,
    asked: bool = False,
    within: float | None = None,
    engine: str = "native",
    threads: int = 1,
    limits: Limits = NO_LIMITS,
    progress: Any = None,
    announce: Announce = silent,
    reduce: bool = False,
    breaking: Breaking = lambda pair: None,
    **parts: Unpack[Parts],
) -> FamilyComparison:
    """Compare in these configurations, for `within` seconds besides the first and the detailed comparison of one; None:
    for WITHIN seconds, and ONCE_BROKEN seconds after a property was found broken.  reduce: as in one comparison.
    breaking: called with the searches to be shown, as soon as a property is found broken.

    Raises UsageError if both models accept none of them.
    """
    if reduce:
        require_reducible(limits, engine)
    announce("reading the configurations")
    order, passed = in_order(before, after, wanted)
    how = {"engine": engine, "threads": threads, "limits": limits, "progress": progress}
    deadline = time.monotonic() + (WITHIN if within is None else within)
    survey = _Survey(order, passed, deadline, how, announce, reduce, breaking, within is None)
    survey.search()
    if not survey.rows:
        raise survey.wrong or UsageError("no configuration could be compared")
    if survey.shown_rank > 0:
        survey.runs(parts.get("event_seconds", 0.0), parts.get("step_seconds", STEP_SECONDS))
    shown = survey.closely(parts)
    rows = list(survey.rows)
    rows[survey.place] = _with_runs(rows[survey.place], shown.behaviours, shown.steps)
    found = FamilyComparison(shown, survey.place, tuple(rows), tuple(passed), asked)
    return found if found.verdict is not Compared.SAME else _with_larger(found, before, after, parts)


def _with_larger(found: FamilyComparison, before: Side, after: Side, parts: Parts) -> FamilyComparison:
    """If no difference was found: the rules with more processes than were compared, and the larger configurations that
    could be compared.
    """
    constants = found.shown.constants
    processes, workload = constants.get("processes"), constants.get("workload")
    if not isinstance(processes, int):
        return found
    given = (row.given.get("processes") for row in found.looked)
    most = max(processes, *(n for n in given if isinstance(n, int)), 0)
    onward = f"processes={most + 1}"
    if isinstance(workload, tuple):
        most = max(most, *(len(w) for row in found.looked if isinstance(w := row.given.get("workload"), tuple)), 0)
        onward = f"workload='{max(sum(workload), 1)} over {most}..{most + 1}'"
    asks = parts.get("rule_seconds", RULE_SECONDS) > 0 and find_spec("z3") is not None
    return evolve(found, beyond=rules_beyond(before, after, most) if asks else (), onward=onward)


@mutable(eq=False)
class _Survey:
    """The configurations, their results, and the one to be shown with its searches."""

    order: list[Configured]
    passed: list[Passed]
    deadline: float
    how: dict[str, Any]
    announce: Announce
    reduce: bool
    breaking: Breaking
    soon: bool = False  # whether the time ends soon after a property was found broken
    rows: list[Looked] = field(factory=list)
    compared: list[Configured] = field(factory=list)  # of each row
    place: int = 0
    pair: Pair | None = None  # of the row at `place`
    known: dict[int, tuple[BehaviourDifference | None, StepDifference | None]] = field(factory=dict)  # by row
    wrong: UsageError | None = None

    @property
    def shown_rank(self) -> int:
        """0 if the configuration to be shown breaks a property, 1 if something differs, 2 if that is undecided, 3 if
        nothing does.
        """
        return _rank(self.rows[self.place])

    def left(self) -> float:
        """Seconds."""
        return self.deadline - time.monotonic()

    def search(self) -> None:
        """Verdicts and outcomes of all."""
        for number, configuration in enumerate(self.order, 1):
            if self.rows and self.left() <= 0:
                self.passed.append(Passed(configuration.given, LATE))
                continue
            try:
                pair = self._searched(configuration, number)
            except UsageError as error:
                self.wrong = self.wrong or error
                self.passed.append(Passed(configuration.given, error.message))
                continue
            except Undecided:
                if not self.rows:
                    raise
                self.passed.append(Passed(configuration.given, LATE))
                continue
            self._keep(configuration, pair)

    def _searched(self, configuration: Configured, number: int) -> Pair:
        where = (
            f"configuration {number} of {len(self.order)} ({_given(configuration)}): " if len(self.order) > 1 else ""
        )
        until = self.deadline if self.rows else None
        broken = next(((row, c) for row, c in zip(self.rows, self.compared) if row.broken), None)
        if broken is not None:
            where = f"breaks {broken[0].broken[0][0]} with {_given(broken[1])}; {where}"
        return searched(
            configuration, lambda text: self.announce(where + text), until=until, reduce=self.reduce, **self.how
        )

    def _keep(self, configuration: Configured, pair: Pair) -> None:
        row = looked(configuration.given, pair)
        late = "seconds" in (pair.base.report.bound, pair.edit.report.bound)
        if self.rows and late and not row.broken:
            so_far = counted(pair.base.report.distinct + pair.edit.report.distinct, "state")
            self.passed.append(Passed(configuration.given, f"{LATE} after {so_far}"))
            return
        self.rows.append(row)
        self.compared.append(configuration)
        if self.soon and row.broken:
            self.soon, self.deadline = False, min(self.deadline, time.monotonic() + ONCE_BROKEN)
        rank = _rank(row)
        if self.pair is None or rank < self.shown_rank or rank == self.shown_rank == len(RANKS):
            self.place, self.pair = len(self.rows) - 1, pair  # without a difference the largest
            if row.broken:
                self.breaking(pair)

    def runs(self, event_seconds: float, step_seconds: float) -> None:
        """The sequences of events and the steps where nothing differs so far."""
        for number, (row, configuration) in enumerate(zip(list(self.rows), self.compared)):
            if row.verdict is not Compared.SAME or number and self.left() <= 0:
                continue
            before, after, engine = configuration.before, configuration.after, self.how["engine"]
            where = f", configuration {number + 1} of {len(self.rows)}" if len(self.rows) > 1 else ""
            steps, behaviours = None, None
            if event_seconds > 0:
                self.announce(f"sequences of events{where}")
                behaviours = behaviour_difference(before, after, self._allowed(number, event_seconds), engine)
            if step_seconds > 0:
                self.announce(f"steps, one by one{where}")
                steps = step_difference(before, after, self._allowed(number, step_seconds), engine)
            self.rows[number], self.known[number] = _with_runs(row, behaviours, steps), (behaviours, steps)
            rank = _rank(self.rows[number])
            if (
                rank < self.shown_rank
                or rank == self.shown_rank == RANKS.index(Compared.CHANGED)
                and number < self.place
            ):
                self.place, self.pair = number, None

    def _allowed(self, number: int, seconds: float) -> float:
        """The first configuration has all the time for a part, the others the remaining time."""
        return min(seconds, max(self.left(), 0.0)) if number else seconds

    def closely(self, parts: Parts) -> Comparison:
        """The configuration to be shown, in full."""
        configuration = self.compared[self.place]
        pair = self.pair or searched(configuration, self.announce, reduce=self.reduce, **self.how)
        behaviours, steps = self.known.get(self.place, (None, None))
        return detailed(pair, **self.how, announce=self.announce, behaviours=behaviours, steps=steps, **parts)


def _given(configuration: Configured) -> str:
    return ", ".join(f"{n}={written(v)}" for n, v in configuration.given.items()) or "default constants"


def _rank(row: Looked) -> int:
    return RANKS.index(row.verdict) if row.verdict in RANKS else len(RANKS)


def looked(given: Mapping[str, Any], pair: Pair) -> Looked:
    """The differences in verdicts and outcomes."""
    changes, kinds = list(property_changes(pair)), kinds_alone(pair.base, pair.edit)
    unknown = dict.fromkeys(name for names in not_decided(changes) for name in names)
    bounds = [e.report.bound for e in (pair.base, pair.edit) if e.report.bound is not None]
    empty = [e.report.reference for e in (pair.base, pair.edit) if e.report.empty]
    return Looked(
        given,
        (pair.base.report.distinct, pair.edit.report.distinct),
        broken=tuple(
            (p.name, None if p.trace is None or pair.edit.report.reduced else len(p.trace.steps))
            for p in changes
            if p.change == "broken"
        ),
        repaired=tuple(p.name for p in changes if p.change == "repaired"),
        new=None if kinds is None else sum(k.count for k in kinds[2]),
        gone=None if kinds is None else sum(k.count for k in kinds[3]),
        undecided=(
            *(f"{n} not decided" for n in unknown),
            *(f"errors not decided: bound on {b}" for b in dict.fromkeys(bounds) if not changes),
            *(f"{n} has no state" for n in empty),
            *["the two have no property in common"] * (bool(changes) and not any(map(in_common, changes))),
        ),
        validation=together((pair.base.report.validation, pair.edit.report.validation)),
        reduced=(bool(pair.base.report.reduced), bool(pair.edit.report.reduced)),
    )


def _with_runs(row: Looked, found: BehaviourDifference | None, steps: StepDifference | None) -> Looked:
    if found is not None:
        added, removed = (None if side is None else side.events for side in (found.added, found.removed))
        row = evolve(row, added=added, removed=removed, events=found.complete)
        row = evolve(row, validation=together((row.validation, found.validation)))
    if steps is not None:
        row = evolve(row, new_step=steps.added, gone_step=steps.removed, steps=steps.complete)
        row = evolve(row, validation=together((row.validation, steps.validation)))
    return row

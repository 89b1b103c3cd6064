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

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Unpack

from attrs import define as mutable
from attrs import evolve, field

from checker.analysis.compare.behaviours import behaviour_difference
from checker.analysis.compare.beyond import rules_beyond
from checker.analysis.compare.comparison import detailed
from checker.analysis.compare.onward import most_processes, next_larger
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
from checker.analysis.compare.parts import Parts, Seconds
from checker.analysis.compare.proof import Proved, proofs
from checker.analysis.compare.shared_time import SharedTime
from checker.analysis.compare.side import Side
from checker.analysis.compare.stated import in_order
from checker.analysis.compare.steps import step_difference
from checker.analysis.compare.stopping import INTERRUPTED, Stopping
from checker.analysis.sweep.choices import choices_of, combinations
from checker.analysis.vacuity.vacuous import trivial
from checker.bound import Bound
from checker.engines.explored import Phases
from checker.engines.registry import declared
from checker.language.constants import typed
from checker.language.errors import Undecided, UsageError
from checker.results.comparison import BehaviourDifference, Comparison, Proof, StepDifference, in_common, not_decided
from checker.results.configurations import FamilyComparison, Looked, Passed
from checker.results.validated import together
from checker.results.verdict import Compared
from checker.search.limits import NO_LIMITS, Limits
from checker.search.memory import available_memory
from checker.wording import counted, listed

WITHIN, ONCE_BROKEN = 30.0, 2.0
FEW, FEW_INTERPRETED = 10_000, 1_000  # states explored of models with the same steps
MEMORY_SHARE = 1 / 8  # of the memory that is free, for the search of a side; two pairs of them may be kept
FULL, LATE = "memory was full", "the time was over"
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
    reduce: bool | None = None,
    breaking: Breaking = lambda pair: None,
    phases: Phases | None = None,
    **parts: Unpack[Parts],
) -> FamilyComparison:
    """Compare in these configurations, for `within` seconds besides the first and the detailed comparison of one; None:
    for WITHIN seconds, and ONCE_BROKEN seconds after a property was found broken.  reduce: as in one comparison.
    breaking: called with the searches to be shown, as soon as a property is found broken.  phases: records the time of
    each part.

    Ctrl-C ends it with what was compared until then.

    Raises UsageError if both models accept none of them, KeyboardInterrupt if nothing was compared before it.
    """
    if reduce:
        require_reducible(limits, engine)
    announce("reading the configurations")
    phases = phases or Phases()
    with phases("read"):
        order, passed = in_order(before, after, wanted)
    how: dict[str, Any] = {"engine": engine, "threads": threads, "limits": limits, "progress": progress}
    seconds = Seconds.of(parts)
    with phases("rules"):
        known = proofs(order, seconds.rules, announce) if seconds.rules > 0 else {}
    if len(known) == len(order):
        with phases("search"):
            same = _all_the_same(order, passed, known, asked, announce, how, parts)
        if same is not None:
            edited = any(one.same for one in known.values())
            return _with_larger(same, before, after, parts, phases) if edited else same
        known = {}
    proved = [Looked(order[place].given, (0, 0), proved=True) for place in sorted(known)]
    order = [sides for place, sides in enumerate(order) if place not in known]
    if limits.max_memory is None and declared(engine).keeps_states:
        how["limits"] = evolve(limits, max_memory=int(MEMORY_SHARE * available_memory()), whole_process=False)
    own = within is None and not declared(engine).distributed
    shared = SharedTime(WITHIN if within is None else within, threads, own)
    survey = _Survey(order, passed, shared, how, announce, reduce, breaking, phases, within is None)
    survey.search()
    if not survey.rows:
        raise survey.wrong or UsageError("no configuration could be compared")
    if survey.shown_rank > 0:
        survey.stopping.part("sequences of events", lambda: survey.runs(seconds.events, seconds.steps), None)
    shown = survey.closely(parts)
    rows = [*survey.rows, *proved]
    rows[survey.place] = _with_runs(rows[survey.place], shown.behaviours, shown.steps)
    over = survey.stopping.over
    found = FamilyComparison(shown, survey.place, tuple(rows), tuple(passed), asked, interrupted=over)
    return found if found.verdict is not Compared.SAME else _with_larger(found, before, after, parts, phases)


def _all_the_same(
    order: Sequence[Configured],
    passed: Sequence[Passed],
    known: Mapping[int, Proved],
    asked: bool,
    announce: Announce,
    how: Mapping[str, Any],
    parts: Parts,
) -> FamilyComparison | None:
    """The result if every step is the same in all configurations: the first states of the default constants, or of the
    smallest configuration, are explored, which would show a wrong proof.  None if a verdict differs there: a rule that
    fails may fail in another statement.
    """
    place = next((n for n, sides in enumerate(order) if not sides.given), 0)
    few = FEW if declared(how["engine"]).keeps_states else FEW_INTERPRETED
    most = min(few, how["limits"].max_states or few)
    pair = searched(order[place], announce, **{**how, "limits": evolve(how["limits"], max_states=most)})
    if any(change.change for change in property_changes(pair)):
        return None
    rules = tuple(dict.fromkeys(name for one in known.values() for name in one.same))
    proof = Proof(rules, tuple(sides.given for sides in order))
    shown = detailed(pair, **how, announce=announce, rules=known[place].rules, proof=proof, parts=parts)
    rows = [Looked(sides.given, (0, 0), proved=True) for sides in order]
    rows[place] = evolve(looked(order[place].given, pair), proved=True)
    return FamilyComparison(shown, place, tuple(rows), tuple(passed), asked)


def _with_larger(found: FamilyComparison, before: Side, after: Side, parts: Parts, phases: Phases) -> FamilyComparison:
    """If no difference was found: the rules with more processes than were compared, and the larger configurations that
    could be compared.
    """

    def accepted(option: str) -> bool:
        try:
            return bool(in_order(before, after, combinations(choices_of(shlex.split(option))))[0])
        except UsageError:
            return False

    compared = [*(row.given for row in found.looked), found.shown.constants]
    onward, most = next_larger(compared, accepted), most_processes(compared)
    if not onward:
        return found
    asks = most > 0 and Seconds.of(parts).rules > 0 and find_spec("z3") is not None
    with phases("rules"):
        return evolve(found, beyond=rules_beyond(before, after, most) if asks else (), onward=onward)


@mutable(eq=False)
class _Survey:
    """The configurations, their results, and the one to be shown with its searches."""

    order: list[Configured]
    passed: list[Passed]
    time: SharedTime
    how: dict[str, Any]
    announce: Announce
    reduce: bool | None
    breaking: Breaking
    phases: Phases
    soon: bool = False  # whether the time ends soon after a property was found broken
    rows: list[Looked] = field(factory=list)
    compared: list[Configured] = field(factory=list)  # of each row
    place: int = 0
    pair: Pair | None = None  # of the row at `place`
    searched: tuple[int, Pair] | None = None  # a row with its searches, where `pair` is not kept
    clean: bool = False  # whether its base violates nothing
    known: dict[int, tuple[BehaviourDifference | None, StepDifference | None]] = field(factory=dict)  # by row
    wrong: UsageError | None = None
    stopping: Stopping = field(factory=Stopping)

    @property
    def shown_rank(self) -> int:
        """0 if the configuration to be shown breaks a property, 1 if something differs, 2 if that is undecided, 3 if
        nothing does.
        """
        return _rank(self.rows[self.place])

    def left(self) -> float:
        """Seconds."""
        return self.time.left()

    def search(self) -> None:
        """Verdicts and outcomes of all.  Of the configurations in which a property is broken the first in which the
        base violates nothing is shown; if there is none, the first.  One with one process or one message gives way to
        the first that differs in the same way and has more.
        """
        for number, configuration in enumerate(self.order, 1):
            if self.stopping.over or self.rows and self.left() <= 0:
                over = self.stopping.over
                self.passed.append(Passed(configuration.given, INTERRUPTED if over else LATE, not over))
                continue
            try:
                with self.phases("search"):
                    pair = self._searched(configuration, number)
            except UsageError as error:
                self.wrong = self.wrong or error
                self.passed.append(Passed(configuration.given, error.message))
                continue
            except Undecided:
                if not self.rows:
                    raise
                self.passed.append(Passed(configuration.given, LATE, True))
                continue
            except KeyboardInterrupt:
                if not self.rows:
                    raise
                self.stopping.over = True
                self.passed.append(Passed(configuration.given, INTERRUPTED))
                continue
            self._keep(configuration, pair)
        if self.pair is not None and self.shown_rank == 0 and not self._settled:
            self.breaking(self.pair)

    def _searched(self, configuration: Configured, number: int) -> Pair:
        where = (
            f"configuration {number} of {len(self.order)} ({_given(configuration)}): " if len(self.order) > 1 else ""
        )
        until = self.time.until() if self.rows else None
        broken = next(((row, c) for row, c in zip(self.rows, self.compared) if row.broken), None)
        if broken is not None:
            where = f"breaks {broken[0].broken[0][0]} with {_given(broken[1])}; {where}"

        def announce(text: str) -> None:
            self.announce(where + text)

        return searched(configuration, announce, until=until, reduce=self.reduce, half=True, **self.how)

    def _keep(self, configuration: Configured, pair: Pair) -> None:
        row = looked(configuration.given, pair)
        bounds = pair.base.report.bound, pair.edit.report.bound
        self.stopping.over = Bound.INTERRUPTED in bounds
        cut = self.stopping.over or Bound.SECONDS in bounds or Bound.MEMORY in bounds
        if self.rows and not row.broken and cut:
            so_far = counted(pair.base.report.distinct + pair.edit.report.distinct, "state")
            unknown = dict.fromkeys(name for names in not_decided(property_changes(pair)) for name in names)
            left = f": {listed([*unknown])} not decided" if unknown else ""
            late = not self.stopping.over and Bound.SECONDS in bounds
            why = INTERRUPTED if self.stopping.over else LATE if late else FULL
            self.passed.append(Passed(configuration.given, f"{why} after {so_far}{left}", late))
            return
        self.rows.append(row)
        self.compared.append(configuration)
        if self.soon and row.broken:
            self.soon = False
            self.time.at_most(ONCE_BROKEN)
        rank, clean = _rank(row), not any(p.verdict.refuted for p in pair.base.report.properties)
        better = rank < self.shown_rank or rank == self.shown_rank == 0 and clean and not self.clean
        better = better or clean >= self.clean and self._tells_more(len(self.rows) - 1)
        if self.pair is None or better or rank == self.shown_rank == len(RANKS):  # without a difference the largest
            self.place, self.pair, self.clean = len(self.rows) - 1, pair, clean
            if row.broken and self._settled:
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
                with self.phases("events"):
                    behaviours = behaviour_difference(before, after, self._allowed(number, event_seconds), engine)
            if step_seconds > 0:
                self.announce(f"steps, one by one{where}")
                with self.phases("steps"):
                    steps = step_difference(before, after, self._allowed(number, step_seconds), engine)
            self.rows[number], self.known[number] = _with_runs(row, behaviours, steps), (behaviours, steps)
            rank = _rank(self.rows[number])
            changed = rank == self.shown_rank == RANKS.index(Compared.CHANGED)
            earlier = changed and number < self.place and not self._tells_more(self.place, number)
            if rank < self.shown_rank or earlier or changed and self._tells_more(number):
                if self.pair is not None:
                    self.searched = self.place, self.pair
                self.place, self.pair = number, None

    @property
    def _settled(self) -> bool:
        """Whether no other configuration can take the place of the one to be shown, which breaks a property."""
        return self.clean and not _trivial(self.compared[self.place])

    def _tells_more(self, number: int, place: int | None = None) -> bool:
        """Whether a row differs in the same way as the one to be shown (or another), which has one process or one
        message, and has more itself.
        """
        place = self.place if place is None else place
        row, shown = self.rows[number], self.rows[place]
        alike = row.verdict == shown.verdict and row.way == shown.way and row.verdict is not Compared.SAME
        return alike and _trivial(self.compared[place]) and not _trivial(self.compared[number])

    def _allowed(self, number: int, seconds: float) -> float:
        """The first configuration has all the time for a part, the others the remaining time."""
        return min(seconds, max(self.left(), 0.0)) if number else seconds

    def closely(self, parts: Parts) -> Comparison:
        """The configuration to be shown, in full."""
        with self.phases("search"):
            pair = self.pair or self.stopping.part("a run of each difference", self._again, None)
        if pair is None:
            assert self.searched is not None
            self.place, pair = self.searched
        behaviours, steps = self.known.get(self.place, (None, None))
        how = {**self.how, "announce": self.announce, "phases": self.phases, "stopping": self.stopping}
        return detailed(pair, **how, behaviours=behaviours, steps=steps, parts=parts)

    def _again(self) -> Pair:
        """The searches of the configuration to be shown, which were not kept."""
        return searched(self.compared[self.place], self.announce, reduce=self.reduce, **self.how)


def _given(configuration: Configured) -> str:
    return typed(configuration.given) or "default constants"


def _trivial(configuration: Configured) -> bool:
    """Whether the edit has one process or one message there, which a warning names."""
    return any(trivial(configuration.definitions[1]))


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
        unknown=tuple(unknown),
        left_open=(
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

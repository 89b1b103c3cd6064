"""The parts of a comparison beyond its verdicts: rules, outcomes, steps, sequences of events, and delays.

Each part has its own time. A part that is not decided in its time, or that Ctrl-C leaves out, is reported as open,
never as equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, TypedDict

from attrs import field, frozen

from checker.analysis.check import Examined
from checker.analysis.compare.behaviours import behaviour_difference
from checker.analysis.compare.delays import outcome_delays, unit_of
from checker.analysis.compare.outcomes import Kind, kinds_alone
from checker.analysis.compare.pair import Announce, Pair, leaving, shorter, silent
from checker.analysis.compare.reach import with_runs
from checker.analysis.compare.rules import compare_rules
from checker.analysis.compare.side import Side
from checker.analysis.compare.steps import step_difference
from checker.analysis.compare.stopping import Stopping
from checker.engines.explored import Phases
from checker.engines.registry import declared
from checker.results.comparison import BehaviourDifference, Difference, OutcomeDifference, OutcomeRun, StepDifference
from checker.results.costs import Extremes
from checker.results.rules import DIFFERS, RuleComparison
from checker.search.limits import NO_LIMITS, Limits
from checker.trace.values import FrozenMap

RULE_SECONDS = 10.0
STEP_SECONDS = 5.0
USUAL = {"rule_seconds": RULE_SECONDS, "step_seconds": STEP_SECONDS, "event_seconds": 10.0, "delay_seconds": 10.0}
BRIEF = {"rule_seconds": 3.0, "step_seconds": 1.0, "event_seconds": 2.0, "delay_seconds": 2.0}
"""The time for parts whose time is None; BRIEF once a property is broken: then they only add to the answer."""
# kinds of outcome on each side for which a run is shown: with all edits of this repository at their constants, every
# one
MOST_RUNS = 100


class Parts(TypedDict, total=False):
    """The time for each part, 0 for none: each rule symbolically (and the same time for a reachable state in which the
    rule differs), the steps, the sequences of events, delays over all runs on each side.  Also the number of kinds of
    outcome on each side that are shown with a run.  None: the usual time, or a brief one once a property is broken.
    """

    rule_seconds: float | None
    step_seconds: float | None
    event_seconds: float | None
    delay_seconds: float | None
    most_runs: int


@frozen
class Seconds:
    """The time for each part."""

    rules: float
    steps: float
    events: float
    delays: float

    @classmethod
    def of(cls, parts: Parts, broken: bool = False) -> Seconds:
        """Of parts that are not named the rules and the steps are compared alone."""
        found: dict[str, Any] = {
            "rule_seconds": None,
            "step_seconds": None,
            "event_seconds": 0.0,
            "delay_seconds": 0.0,
            **parts,
        }
        return cls(*(found[n] if found[n] is not None else (BRIEF if broken else USUAL)[n] for n in USUAL))


Delays = dict[FrozenMap, Extremes] | None


@frozen
class Undertaking:
    """How the parts of one comparison are made.  phases: records the time of each part.  stopping: leaves out parts
    after Ctrl-C.
    """

    pair: Pair
    seconds: Seconds
    engine: str = "native"
    threads: int = 1
    limits: Limits = NO_LIMITS
    progress: Any = None
    announce: Announce = silent
    phases: Phases = field(factory=Phases)
    stopping: Stopping = field(factory=lambda: Stopping(allowed=False))

    @property
    def before(self) -> Side:
        return self.pair.sides.before

    @property
    def after(self) -> Side:
        return self.pair.sides.after

    def rules(self, sources: tuple[Difference, ...]) -> tuple[RuleComparison, ...]:
        """The rules whose texts differ, over all states of their types."""
        self.announce("rules, over all states of their types")
        none: tuple[RuleComparison, ...] = ()
        asked = partial(compare_rules, *self.pair.sides.definitions, sources, self.seconds.rules)
        with self.phases("rules"):
            return self.stopping.part("rules", asked, none) if self.seconds.rules > 0 else none

    def in_reachable_states(self, rules: tuple[RuleComparison, ...]) -> tuple[RuleComparison, ...]:
        """The rules, each that differs with a shortest run to a state in which it does."""
        if not declared(self.engine).keeps_states or not any(r.relation in DIFFERS for r in rules):
            return rules
        self.announce("rules: a reachable state in which one differs")
        how: dict[str, Any] = {"threads": self.threads, "progress": self.progress}
        seen = partial(with_runs, rules, self.before, self.after, limits=self._within(self.seconds.rules), **how)
        with self.phases("rules"):
            return self.stopping.part("reachable states in which rules differ", seen, rules)

    def outcomes(self, most: int) -> OutcomeDifference | None:
        """The kinds of outcome that one side has alone, the first of each side with a run."""
        self.announce("properties and outcomes, a run for each difference")
        base, edit = self.pair.base, self.pair.edit
        with self.phases("runs"):
            found = kinds_alone(base, edit)
            if found is None:
                return None
            before, now, added, removed = found
            gone = tuple(_outcome_runs(removed, base, "former", most, self.after))
            return OutcomeDifference(before, now, tuple(_outcome_runs(added, edit, "new", most)), gone)

    def steps(self) -> StepDifference | None:
        """The steps that one side allows alone; None if the variables differ, or if they are not compared."""
        if self.seconds.steps <= 0:
            return None
        self.announce("steps, one by one")
        compared = partial(step_difference, self.before, self.after, self.seconds.steps, self.engine)
        with self.phases("steps"):
            return self.stopping.part("steps", compared, None)

    def behaviours(self) -> BehaviourDifference | None:
        """A shortest sequence of events that one side has alone; None if they are not compared."""
        if self.seconds.events <= 0:
            return None
        self.announce("sequences of events")
        compared = partial(behaviour_difference, self.before, self.after, self.seconds.events, self.engine)
        with self.phases("events"):
            return self.stopping.part("sequences of events", compared, None)

    def delays(self) -> tuple[Delays, Delays, bool]:
        """The delays over all runs of each side, and whether they were to be measured and were not known in time."""
        pair, reduced = self.pair, self.pair.base.report.reduced or self.pair.edit.report.reduced
        if self.seconds.delays <= 0 or not declared(self.engine).keeps_states or not pair.complete or reduced:
            return None, None, False
        self.announce("delays over all runs")
        within = self._within(self.seconds.delays)
        with self.phases("delays"):
            of_base, of_edit = (
                self.stopping.part("delays over all runs", partial(outcome_delays, side, self.threads, within), None)
                for side in (self.before, self.after)
            )
        late = of_base is None or of_edit is None
        cut = late and not self.stopping.over and all(unit_of(d) is not None for d in pair.sides.definitions)
        return of_base, of_edit, cut

    def _within(self, seconds: float) -> Limits:
        return shorter(self.limits, seconds)


def _outcome_runs(
    kinds: Iterable[Kind], side: Examined, word: str, most: int, after: Side | None = None
) -> Iterator[OutcomeRun]:
    """The kinds of outcome that one side has alone, the first of them with a run.  after: the edit, whose base does not
    allow these runs.
    """
    for number, kind in enumerate(kinds, 1):
        path = kind.run.path()
        trace = side.replay.run(path, f"{word} outcome {number}") if number <= most else None
        note = leaving(trace, side, after) if trace is not None and after is not None else ""
        yield OutcomeRun(kind.count, kind.example, len(path) - 1, note, trace)

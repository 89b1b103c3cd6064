"""The comparison of a protocol with an edited one: all differences, as data.

The verdict of a comparison is about the edit: it is broken if it violates a property that the base is not known to
violate.  The report calls both sides by their references.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import Factory, frozen

from checker.displayed import Displayed
from checker.results.checked import Report
from checker.results.costs import Cost
from checker.results.exit_codes import VACUOUS, worst
from checker.results.rules import RuleComparison
from checker.results.vacuity import Vacuity
from checker.results.validated import Validation, together
from checker.results.verdict import REFUTED, Compared, Verdict
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap

UNLISTED = "not listed"
WAS: dict[str, str] = {
    Verdict.HOLDS: "held",
    Verdict.VIOLATED: "was violated",
    Verdict.REACHABLE: "was reachable",
    Verdict.UNREACHABLE: "was unreachable",
    Verdict.UNKNOWN: "was not decided",
}
IS: dict[str, str] = {
    Verdict.HOLDS: "holds now",
    Verdict.VIOLATED: "is violated now",
    Verdict.REACHABLE: "is reachable now",
    Verdict.UNREACHABLE: "is unreachable now",
    Verdict.UNKNOWN: "is not decided now",
}
END = "the end of the run"
LONGEST = 15  # emitted events of a step that compiled code records
Word = tuple[str, ...]  # emitted events of a run, in order


@frozen
class Difference:
    """One part of the source that differs.

    kind: rule, action, handler, property, initial, constraint, helper, variable, parameter (of an action), constant,
    default, derived value, type, attribute; `diff`: a unified diff of its source, or one line with a value on each
    side.  `before` and `after`: the places of the part, "" if one side does not have it.
    """

    kind: str
    name: str
    before: str
    after: str
    diff: str


@frozen
class Redefined:
    """The verdicts that tell the effect of a changed property from that of a changed model.

    of_base: of the changed property on the base; of_edit: of the former property on the edit; UNLISTED if it does not
    fit there, with the reason in `unfit`.
    """

    of_base: str
    of_edit: str
    unfit: str = ""

    def text(self, before: str, after: str) -> str:
        """The verdicts in words; before, after: of the former property on the base, and of the changed one on the
        edit."""
        asked = (
            ("the changed property on the model before", self.of_base),
            ("the former one on the model now", self.of_edit),
        )
        others = [f"{what}: {verdict}" for what, verdict in asked if verdict != UNLISTED]
        both = f"changed: {WAS.get(before, before)}, {IS.get(after, after)}"
        return f"{both} ({'; '.join([*others, *filter(None, [self.unfit])])})"


@frozen
class PropertyChange:
    """A property under both protocols.

    change: "" (same verdict), broken, repaired, or other (one side does not list it, or does not decide it).  `trace`:
    the edit's violation if broken, the base's if repaired; `note`: for a repaired one the step at which the edit leaves
    the base's trace.  redefined: if the property itself differs: then `before` is the verdict of the former property on
    the base, and `after` that of the changed property on the edit.  former: whether it is the former definition of such
    a property.
    """

    name: str
    kind: str
    before: str
    after: str
    change: str
    trace: Trace | None = None
    note: str = ""
    redefined: Redefined | None = None
    former: bool = False

    @property
    def cause(self) -> int | None:
        """The first step of its run that the other protocol does not allow."""
        return None if self.trace is None else next((s.number for s in self.trace.steps if s.cause), None)


def in_common(property: PropertyChange) -> bool:
    """Whether both sides have it."""
    return UNLISTED not in (property.before, property.after)


def not_decided(properties: Iterable[PropertyChange]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The common properties that were not decided for the base alone, and those that were not decided for the edit.

    Without the base's verdict it is not known whether the edit's differs.
    """
    found = tuple(properties)
    of_base = tuple(p.name for p in found if p.before == Verdict.UNKNOWN != p.after and in_common(p))
    return of_base, tuple(p.name for p in found if p.after == Verdict.UNKNOWN)


@frozen
class Proof:
    """Every step of both models is the same, in every state of their types, in these configurations.

    rules: those that differ, or call one that does, and have the same value in every state by z3; none: nothing that a
    step or a property reads differs.
    """

    rules: tuple[str, ...]
    configurations: tuple[Mapping[str, Any], ...]


@frozen
class OutcomeRun:
    """A kind of outcome that one side has alone: the number of outcomes, which differ only in names; the first of them
    by the length of its run; the number of steps; the run, if one is shown.  `note`: for a removed outcome the step at
    which the edit leaves its run.
    """

    count: int
    example: FrozenMap
    steps: int
    note: str = ""
    trace: Trace | None = None


@frozen
class OutcomeDifference:
    """How many outcomes either side has, and the kinds that one side has alone."""

    before: int
    after: int
    added: tuple[OutcomeRun, ...]
    removed: tuple[OutcomeRun, ...]

    @property
    def new(self) -> int:
        """Outcomes that the edit has alone."""
        return sum(r.count for r in self.added)

    @property
    def gone(self) -> int:
        """Outcomes that the base has alone."""
        return sum(r.count for r in self.removed)


@frozen
class StepDifference:
    """Common states compared, whether those were all, and for each side a shortest run that ends in a step of this side
    alone.

    elsewhere: for each of these runs, whether the other side can take its last step too, with another next state; cut:
    whether it has the step, and its constraint prunes the next state.  validation: how far the interpreter confirmed
    compiled code, if that was used.
    """

    states: int
    complete: bool
    added: Trace | None
    removed: Trace | None
    elsewhere: tuple[bool, bool] = (False, False)
    cut: tuple[bool, bool] = (False, False)
    validation: Validation | None = None


@frozen
class Separation:
    """A shortest sequence of events that one side has alone, whose last event (END: the run is over) is the difference;
    and a shortest run with this sequence.
    """

    events: Word
    trace: Trace


@frozen
class BehaviourDifference:
    """sets: how many pairs of sets were compared, and whether those were all; states of both; events that were left
    out; and the differences.

    unexplored: the model whose states could not be explored in time (then nothing was compared); reached: how many of
    them were, 0 if a step emits too many events.
    """

    sets: int
    complete: bool
    states: tuple[int, int]
    left_out: tuple[str, ...]
    unexplored: str | None = None
    reached: int = 0
    added: Separation | None = None
    removed: Separation | None = None
    validation: Validation | None = None


@frozen(repr=False)
class Comparison(Displayed):
    """All differences in one configuration.

    related: whether one edits the other, or both edit one model; given: the constants of the configuration, none for
    the defaults; of_both: the warnings that do not concern the edit; left_open: what was not decided in its time, and
    what would decide it, "" if everything was; steps_apart: why the steps could not be compared, "" if they were;
    renamed: the names that the edit has instead of those of the base: the base is shown with the new ones.
    proof: why the two have the same steps; then the searches may have been stopped early.
    version: whether the base is the same model at an earlier time.
    """

    before: str
    after: str
    related: bool
    constants: Mapping[str, Any]
    base: Report
    edit: Report
    sources: tuple[Difference, ...]
    rules: tuple[RuleComparison, ...]
    properties: tuple[PropertyChange, ...]
    outcomes: OutcomeDifference | None
    steps: StepDifference | None = None
    behaviours: BehaviourDifference | None = None
    costs: tuple[Cost, Cost] | None = None
    warnings: tuple[str, ...] = ()
    of_both: tuple[str, ...] = ()
    left_open: str = ""
    steps_apart: str = ""
    given: Mapping[str, Any] = Factory(dict)
    renamed: tuple[str, ...] = ()
    proof: Proof | None = None
    version: bool = False

    def heading(self) -> str:
        return f"{self.before} against {self.after}, {self.verdict}"

    @property
    def validation(self) -> Validation | None:
        """How far the interpreter confirmed all searches of the comparison."""
        more = [part.validation for part in (self.steps, self.behaviours) if part is not None]
        return together((self.base.validation, self.edit.validation, *more))

    def changed(self, change: str) -> tuple[PropertyChange, ...]:
        """The properties with this change."""
        return tuple(p for p in self.properties if p.change == change)

    @property
    def verdict(self) -> Compared:
        """Whether the edit breaks something; else whether verdicts, outcomes, sequences of events or steps differ."""
        if self.changed("broken"):
            return Compared.BROKEN
        if self.undecided:
            return Compared.INCONCLUSIVE
        differs = self.outcomes_differ or self.events_differ or self.steps_differ
        return Compared.CHANGED if self.changed("repaired") or differs else Compared.SAME

    @property
    def disabled(self) -> tuple[str, ...]:
        """The actions that are enabled somewhere before the edit, and nowhere after it; none if the edit was not
        searched whole, or with a reduction."""
        if self.edit.bound is not None or self.edit.reduced or self.edit.empty:
            return ()
        idle = {a.name for a in self.edit.actions if not a.enabled and not a.fault}
        return tuple(a.name for a in self.base.actions if a.enabled and a.name in idle)

    @property
    def dead(self) -> bool:
        """Whether the edit can do nothing, faults apart, which the base can."""
        return bool(self.disabled) and not any(a.enabled for a in self.edit.actions if not a.fault)

    @property
    def weakened(self) -> tuple[str, ...]:
        """The properties that hold only because they are defined otherwise now: the edit violates the former ones."""
        return tuple(p.name for p in self.changed("repaired") if p.redefined and p.redefined.of_edit in REFUTED)

    @property
    def outcomes_differ(self) -> bool:
        """Whether one side has an outcome that the other does not have."""
        return self.outcomes is not None and bool(self.outcomes.new or self.outcomes.gone)

    @property
    def events_differ(self) -> bool:
        """Whether one side has a sequence of events that the other does not have."""
        return self.behaviours is not None and (self.behaviours.added, self.behaviours.removed) != (None, None)

    @property
    def steps_differ(self) -> bool:
        """Whether one side has a step that the other does not have, from a state that both reach by the same steps."""
        return self.steps is not None and (self.steps.added, self.steps.removed) != (None, None)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Why it is not known whether the edit breaks or repairs something, a sentence each; properties of one side
        alone are no reason, if there are others.  None if the two have the same steps.
        """
        if self.proof is not None:
            return ()
        sides = (self.before, self.base), (self.after, self.edit)
        found = [f"{side} has no state that its constraints keep" for side, r in sides if r.empty]
        of_base, of_edit = not_decided(self.properties)
        for side, report, unknown in ((self.before, self.base, of_base), (self.after, self.edit, of_edit)):
            bound = f"the search was {report.ended}" if report.bound else ""
            if unknown:
                found.append(f"{', '.join(unknown)} not decided for {side}" + (f": {bound}" if bound else ""))
            elif bound and not self.properties:
                found.append(f"errors not decided for {side}: {bound}")
        if self.properties and not self.common:
            found.append("the two have no property in common")
        return tuple(found)

    @property
    def common(self) -> tuple[PropertyChange, ...]:
        """The properties that both have."""
        return tuple(filter(in_common, self.properties))

    @property
    def exit_code(self) -> int:
        """1 if the edit breaks a property that the base is not known to violate, 4 if that is not decided, 3 if a
        misspelt rule of it changes nothing, else 0."""
        return worst((self.verdict.exit_code, *[VACUOUS] * bool(self.misspelt)))

    @property
    def misspelt(self) -> tuple[Vacuity, ...]:
        """The methods of the edit alone that were meant to override a method of the base, and do not."""
        of_base = {f.subject for f in self.base.misspelt}
        return tuple(f for f in self.edit.misspelt if f.subject not in of_base)

"""From a chain of states to a trace: the reference interpreter finds each step again before anything is shown.

A compiled back end supplies states only.  The interpreter, which defines the meaning, must reach each state from the
one before, and must agree on the finding in the last one; a difference is an internal error that shows both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.language.definition import Definition
from checker.language.model import Model
from checker.language.start import is_start
from checker.replay.disagreement import Disagreement, refuse_limit, state_text
from checker.replay.fairness import unbroken
from checker.replay.sought import sought
from checker.replay.symmetry import along, canonical_of
from checker.replay.traced import Run, Shown, property_of
from checker.trace.trace import Trace

JUDGED = ("invariant", "step", "quiescence", "leads-to")
"""The kinds of runs that break a property."""


@define
class Replay:
    """Replays chains of states of one definition."""

    interpreter: Interpreter
    reference: str
    engine: str
    base: type[Model] | None = None  # the protocol before the edit: the first step that it does not allow is marked
    group: bool = False  # steps that commute are reordered, so that the steps of each process are adjacent
    # the length of a run in which the base breaks a property, if known
    broken_before: Callable[[str], int | None] | None = None
    alike: bool = False  # the base has every constant of the edit, also where the edit declares another default
    announce: Callable[[str], None] | None = None  # called with a sentence before a CAUSE is sought
    # the nearest protocol above the base that keeps a property which an action breaks, if known
    keeping: Callable[[str, str], type[Model] | None] | None = None
    # whether the base is known to keep a property only because nothing happens, not even the action that breaks it
    vacuous: Callable[[str, str], bool] | None = None
    _found: dict[tuple[Raw, Raw], Step] = field(factory=dict)  # runs of one search share their beginnings
    _truths: dict[Raw, dict[str, bool]] = field(factory=dict)

    @property
    def definition(self) -> Definition:
        """The model of the definition."""
        return self.interpreter.definition

    def trace(self, path: Sequence[Raw], shown: Shown, claim: str | None = None, taken: Sequence[int] = ()) -> Trace:
        """The trace of these states.  Raises Disagreement if the interpreter does not confirm it.

        taken: for each of the last steps its number among the steps out of the state before, errors left out; for the
        other steps the first that leads to the next state is shown.
        """
        states, steps, shown = self._replayed(path, shown, taken)
        trace = self._marked(states, steps, shown, claim)
        return self.grouped(trace, states, steps, shown) if self.group else trace

    def confirmed_steps(self, path: Sequence[Raw], shown: Shown, taken: Sequence[int] = ()) -> int:
        """The number of steps of the trace of these states: all are executed and confirmed as for the trace, but no
        trace is made.  Raises Disagreement.
        """
        return len(self._replayed(path, shown, taken)[1])

    def _replayed(self, path: Sequence[Raw], shown: Shown, taken: Sequence[int]) -> tuple[list[Raw], list[Step], Shown]:
        """The states and steps of a run as the interpreter takes them, and its finding.  Raises Disagreement."""
        self._require_start(path[0])
        path = self.unfolded(path)
        known = len(path) - len(taken)
        steps = [*self.steps(path[:known]), *map(self._placed_step, path[known - 1 :], path[known:], taken)]
        if shown.beyond:
            steps.append(self._last(path[-1], shown))
        states = [*path, *(s.after or path[-1] for s in steps[len(path) - 1 :])]
        self._confirm(states, shown, steps)
        return states, steps, shown

    def grouped(self, trace: Trace, states: Sequence[Raw], steps: Sequence[Step], shown: Shown) -> Trace:
        """The trace of these states and steps in an order in which the steps of each process are adjacent."""
        from checker.replay.grouped import in_groups

        build = partial(self._marked, shown=shown)
        return in_groups(trace, self.interpreter, states, steps, build, self.base is not None)

    def _marked(self, states: Sequence[Raw], steps: Sequence[Step], shown: Shown, claim: str | None = None) -> Trace:
        trace = self.build(states, steps, shown, claim)
        if not trace.is_violation():
            return trace
        marked = sought(partial(self.with_cause, trace, states), trace)
        return sought(partial(self._explained, marked, states, steps), marked)

    def again(self, trace: Trace, states: Sequence[Raw], steps: Sequence[Step], shown: Shown) -> Trace:
        """A trace of these states and steps with the sentences of today; whether the protocol before the edit breaks
        the property too, and in how many steps, is not searched again."""
        found = self.with_cause(self.build(states, steps, shown, trace.claim), states)
        return evolve(self._explained(found, states, steps), version=trace.version)

    def _explained(self, trace: Trace, states: Sequence[Raw], steps: Sequence[Step]) -> Trace:
        """The trace with the statement that violates the property, or with an instance that is disabled at its end, if
        neither a CAUSE nor a disabled condition names a line; without a CAUSE with what would keep the property.
        """
        from checker.replay.disabled_since import with_since
        from checker.replay.head import with_line
        from checker.replay.marked import has_cause
        from checker.replay.other_constant import other_constant
        from checker.replay.repaired_end import repaired_end

        told = with_line(trace, self.interpreter, states, steps)
        if has_cause(told):
            return with_since(told, self.interpreter, states, steps)
        kept = [other_constant(self.definition, trace.property)]
        if trace.kind == "quiescence":
            kept.append(repaired_end(self.interpreter, trace.property, states[-1]))
        return evolve(told, otherwise=tuple(filter(None, kept)))

    def run(
        self,
        path: Sequence[Raw],
        name: str,
        kind: str = "reachable",
        *,
        anywhere: bool = False,
        claim: str | None = None,
    ) -> Trace:
        """A run without a finding, or with (kind, name) of a property that is not confirmed; `anywhere`: it need not
        begin in an initial state.

        Raises Disagreement if the interpreter cannot take it.
        """
        if not anywhere:
            self._require_start(path[0])
        path = self.unfolded(path)
        trace = self.build(path, self.steps(path), Shown(kind, name), claim)
        return trace if anywhere else self.with_cause(trace, path)

    def _require_start(self, state: Raw) -> None:
        if not is_start(self.interpreter.model, state):
            raise Disagreement(f"not an initial state for the interpreter: {state}")

    def with_cause(self, trace: Trace, states: Sequence[Raw]) -> Trace:
        """The trace with a mark at its first step that the protocol before the edit does not allow, if there is one."""
        if self.base is None:
            return trace
        from checker.replay.marked import broken_too, mark_cause, marked_above, marked_beside, vacuous_before

        if self.announce is not None:
            self.announce(f"looking for the CAUSE in the run of {trace.property or trace.kind}")
        marked = mark_cause(trace, self.interpreter, self.base, states, self.alike)
        asked = self.broken_before is not None and trace.kind in JUDGED and not broken_too(marked)
        steps = self.broken_before(trace.property) if self.broken_before is not None and asked else None
        if steps is None and not broken_too(marked):
            if self._is_vacuous_before(marked):
                return vacuous_before(trace, self.base)
            return marked if self.alike else marked_beside(trace, marked, self.interpreter, self.base, states)
        told = marked if steps is None else self._broken_before(trace, self.base, steps)
        above = None if self.alike or self.keeping is None else self.keeping(trace.property, _last_action(trace))
        return told if above is None else marked_above(trace, told, self.interpreter, above, states)

    def _is_vacuous_before(self, marked: Trace) -> bool:
        """Whether a step that is marked as the CAUSE is one of those that let anything happen at all."""
        if self.vacuous is None or marked.kind not in ("invariant", "step") or not any(s.cause for s in marked.steps):
            return False
        return self.vacuous(marked.property, _last_action(marked))

    def _broken_before(self, trace: Trace, base: type[Model], steps: int) -> Trace:
        """The trace without a CAUSE, as the base breaks the property too, in a run of so many steps."""
        from checker.replay.marked import without_cause
        from checker.replay.own_constants import own_values

        own = {} if self.alike else own_values(base, self.definition)
        return without_cause(trace, self.definition, base, steps, own)

    def steps(self, path: Sequence[Raw]) -> list[Step]:
        """The steps along a chain of states.  Raises Disagreement if the interpreter cannot take one."""
        return [self._find(before, after) for before, after in zip(path, path[1:])]

    def confirm(self, path: Sequence[Raw], shown: Shown) -> None:
        """Raise Disagreement unless a run that ends in these states has this finding."""
        self._confirm([*path, *((self._last(path[-1], shown).after or path[-1],) if shown.beyond else ())], shown)

    def failure(self, path: Sequence[Raw], shown: Shown) -> Failure | None:
        """The interpreter's error or failed assertion at the end of a run through these states; None if it is not of
        the last step or state.
        """
        state = self.unfolded(path)[-1]
        failing = self._failing(state, shown)
        if failing is not None:
            return failing.failure
        found = self.interpreter.failing(state, shown.line)
        return found and found[1]

    def unfolded(self, path: Sequence[Raw]) -> Sequence[Raw]:
        """A run through canonical representatives as a run of the model; any other run is unchanged."""
        canonical = canonical_of(self.definition)
        return path if canonical is None else along(self.interpreter, canonical, path)

    def _find(self, before: Raw, after: Raw) -> Step:
        if (known := self._found.get((before, after))) is not None:
            return known
        for step in self.interpreter.steps(before):
            if step.after == after:
                self._found[before, after] = step
                return step
        raise self._differs("the interpreter has no step between", before, after)

    def _placed_step(self, before: Raw, after: Raw, place: int) -> Step:
        """The step with this number among those out of a state."""
        steps = [step for step in self.interpreter.steps(before) if step.after is not None]
        if place >= len(steps) or steps[place].after != after:
            raise self._differs(f"for the interpreter step {place} is not one between", before, after)
        return steps[place]

    def _failing(self, state: Raw, shown: Shown) -> Step | None:
        """The step that fails in this line: in the action, in a constraint, or in a property that is evaluated over the
        step.
        """
        failing = [
            evolve(step, failure=failure)
            for step in self.interpreter.steps(state)
            for failure in self._failures(state, step, shown.cut)
            if failure.line == shown.line
        ]
        same = (step for step in failing if step.failure is not None and step.failure.name == shown.name)
        return next(same, failing[0] if failing else None)  # two steps may fail in one line

    def _failures(self, state: Raw, step: Step, cut: bool) -> Iterator[Failure]:
        if step.failure is not None:
            yield step.failure
        if step.after is None:
            return
        if (failure := self.interpreter.unconstrained(step.after)) is not None:
            yield failure
        for p in self.definition.properties:
            if p.kind == "step" or cut and p.kind in ("invariant", "reachable"):
                found = self.interpreter.violated(p, step.after, state if p.kind == "step" else None)
                if isinstance(found, Failure):
                    yield found

    def _last(self, state: Raw, shown: Shown) -> Step:
        if shown.kind in ("error", "assert"):
            failing = self._failing(state, shown)
            if failing is not None:
                return failing
        else:
            before = state if shown.kind == "step" else None
            for step in self.interpreter.steps(state):
                if step.after is None or shown.cut and self.interpreter.kept(step.after):
                    continue
                if self.interpreter.violated(property_of(self.definition, shown.name), step.after, before) is True:
                    return step
        if shown.kind == "error":
            refuse_limit(self.definition, shown.line)
        what = f"{shown.kind} {shown.name} (line {shown.line})"
        raise self._differs(f"the interpreter finds no step that shows {what} in", state)

    def _confirm(self, states: Sequence[Raw], shown: Shown, steps: Sequence[Step] = ()) -> None:
        if shown.kind in ("error", "assert"):
            if shown.beyond:
                return
            if self.interpreter.failing(states[-1], shown.line) is None:
                if shown.kind == "error":
                    refuse_limit(self.definition, shown.line)
                raise self._differs("the interpreter evaluates every property in", states[-1])
            return
        property = property_of(self.definition, shown.name)
        if shown.kind == "leads-to":
            repeated = steps[shown.loop or 0 :]
            reason = unbroken(self.interpreter, property.at(shown.values), states, shown.loop, repeated)
            if reason is not None:
                text = f"for the interpreter this run does not break {shown.name}: {reason}"
                raise self._differs(f"{text}; its last state is", states[-1])
            return
        before = states[-2] if shown.kind == "step" else None
        if self.interpreter.violated(property, states[-1], before) is not True:
            raise self._differs(f"the interpreter does not find {shown.name} shown in", states[-1])
        if shown.kind == "quiescence" and not self.interpreter.quiescent(states[-1]):
            raise self._differs("for the interpreter this state is not quiescent:", states[-1])

    def _differs(self, what: str, *states: Raw) -> Disagreement:
        return Disagreement(f"{what}\n  " + "\nand\n  ".join(state_text(self.definition, s) for s in states))

    def build(self, states: Sequence[Raw], steps: Sequence[Step], shown: Shown, claim: str | None = None) -> Trace:
        """The trace of steps that the interpreter itself has taken; the finding is not confirmed."""
        run = Run(self.interpreter, states, steps, shown)
        return run.trace(self.reference, self.engine, claim, self._verdicts(states))

    def _verdicts(self, states: Sequence[Raw]) -> dict[str, tuple[bool, ...]]:
        shown = [p for p in self.definition.properties if p.kind in ("invariant", "reachable")]
        for state in (s for s in states if s not in self._truths):
            truths = {p.name: self.interpreter.violated(p, state) is (p.kind == "reachable") for p in shown}
            self._truths[state] = truths
        return {p.name: tuple(self._truths[s][p.name] for s in states) for p in shown}


def _last_action(trace: Trace) -> str:
    """The action of the last step; "" for a run that ends where it starts."""
    return trace.steps[-1].action if trace.steps else ""

"""From a chain of states to a trace: each step is found again in the reference interpreter before anything is shown.

A compiled back end supplies states only.  The interpreter, which defines the meaning, must reach each from the one
before, and must agree on what the last one shows; a disagreement is an internal error that shows both sides.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.backends.interpreter.witness import witness
from checker.frozen import frozen
from checker.language.collection_domains import MapDomain
from checker.language.definition import Definition, PropertyDefinition
from checker.language.domains import Domain, IdsDomain, SetDomain
from checker.language.model import Model
from checker.language.start import is_start
from checker.replay.disagreement import Disagreement, refuse_limit, state_text
from checker.replay.fairness import passed_over, unbroken
from checker.replay.guards import reason
from checker.replay.labels import label
from checker.replay.plain import plain, plain_raw
from checker.replay.rule_calls import shortened
from checker.replay.symmetry import along, canonical_of
from checker.trace import events as te
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, mentions, show
from checker.wording import first_paragraph


@frozen
class Shown:
    """What a chain of states shows: a property (or a failure, by kind and line), and whether on a step beyond the last
    state."""

    kind: str
    name: str
    line: int = 0
    beyond: bool = False
    cut: bool = False
    loop: int | None = None
    values: Mapping[str, Any] = field(factory=dict)  # of the parameters of a leads-to, by name


@define
class Replay:
    """Replays chains of states of one definition."""

    interpreter: Interpreter
    reference: str
    engine: str
    base: type[Model] | None = None  # the protocol before the edit: the first step it would not allow is marked
    group: bool = False  # steps that commute are reordered, so that those of each process stand together
    _copies: dict[tuple[Any, ...], list[int]] = field(factory=dict)
    _next: int = 1
    _found: dict[tuple[Raw, Raw], Step] = field(factory=dict)  # runs of one search share their beginnings
    _truths: dict[Raw, dict[str, bool]] = field(factory=dict)

    @property
    def definition(self) -> Definition:
        """The model in hand."""
        return self.interpreter.definition

    def trace(self, path: Sequence[Raw], shown: Shown, claim: str | None = None, taken: Sequence[int] = ()) -> Trace:
        """The trace of these states.  Disagreement if the interpreter does not confirm it.

        taken: of each of the last steps its place among those out of the state before, errors left out; of the others
        the first that leads on is shown.
        """
        states, steps, shown = self._replayed(path, shown, taken)
        trace = self._marked(states, steps, shown, claim)
        return self.grouped(trace, states, steps, shown) if self.group else trace

    def confirmed_steps(self, path: Sequence[Raw], shown: Shown, taken: Sequence[int] = ()) -> int:
        """How many steps the trace of these states has: all is executed and confirmed as for the trace, and nothing
        said about it.  Disagreement."""
        return len(self._replayed(path, shown, taken)[1])

    def _replayed(self, path: Sequence[Raw], shown: Shown, taken: Sequence[int]) -> tuple[list[Raw], list[Step], Shown]:
        """The states and steps of a run as the interpreter takes them, and what it shows.  Disagreement if the
        interpreter does not confirm it."""
        self._require_start(path[0])
        path = self.unfolded(path)
        known = len(path) - len(taken)
        steps = [*self.steps(path[:known]), *map(self._placed_step, path[known - 1 :], path[known:], taken)]
        shown = self._placed(path[-1], shown)
        if shown.beyond:
            steps.append(self._last(path[-1], shown))
        states = [*path, *(s.after or path[-1] for s in steps[len(path) - 1 :])]
        self._confirm(states, shown, steps)
        return states, steps, shown

    def grouped(self, trace: Trace, states: Sequence[Raw], steps: Sequence[Step], shown: Shown) -> Trace:
        """The trace of these states and steps in an order in which the steps of each process stand together."""
        from checker.replay.grouped import in_groups

        def build(states: Sequence[Raw], steps: Sequence[Step]) -> Trace:
            return self._marked(states, steps, shown)

        return in_groups(trace, self.interpreter, states, steps, build, self.base is not None)

    def _marked(self, states: Sequence[Raw], steps: Sequence[Step], shown: Shown, claim: str | None = None) -> Trace:
        trace = self.build(states, steps, shown, claim)
        return self._with_cause(trace, states) if trace.is_violation() else trace

    def run(
        self,
        path: Sequence[Raw],
        name: str,
        kind: str = "reachable",
        *,
        anywhere: bool = False,
        claim: str | None = None,
    ) -> Trace:
        """A run that shows nothing but itself, or (kind, name) a property that is not confirmed; `anywhere`: it need
        not begin in an initial state.

        Disagreement if the interpreter does not have it.
        """
        if not anywhere:
            self._require_start(path[0])
        path = self.unfolded(path)
        trace = self.build(path, self.steps(path), Shown(kind, name), claim)
        return trace if anywhere else self._with_cause(trace, path)

    def _require_start(self, state: Raw) -> None:
        if not is_start(self.interpreter.model, state):
            raise Disagreement(f"not an initial state for the interpreter: {state}")

    def _with_cause(self, trace: Trace, states: Sequence[Raw]) -> Trace:
        """The trace with its first step that the protocol before the edit would not allow marked, if there is one."""
        if self.base is None:
            return trace
        from checker.replay.cause import mark_cause

        return mark_cause(trace, self.interpreter, self.base, states)

    def steps(self, path: Sequence[Raw]) -> list[Step]:
        """The steps along a chain of states.  Disagreement if the interpreter does not have one."""
        return [self._find(before, after) for before, after in zip(path, path[1:])]

    def confirm(self, path: Sequence[Raw], shown: Shown) -> None:
        """Disagreement unless a run that ends in these states shows this."""
        shown = self._placed(path[-1], shown)
        self._confirm([*path, *((self._last(path[-1], shown).after or path[-1],) if shown.beyond else ())], shown)

    def failure(self, path: Sequence[Raw], shown: Shown) -> Failure | None:
        """What the interpreter says of the error or failed assertion that a run through these states ends with; None if
        it is not of the last step or state."""
        state = self.unfolded(path)[-1]
        failing = self._failing(state, shown)
        if failing is not None:
            return failing.failure
        asked = (self.interpreter.violated(p, state) for p in self.definition.properties if p.kind != "step")
        return next((f for f in asked if isinstance(f, Failure) and f.line == shown.line), None)

    def unfolded(self, path: Sequence[Raw]) -> Sequence[Raw]:
        """A run through states that stand for others becomes one of the model; any other stays as it is."""
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
        """The step at this place among those out of a state."""
        steps = [step for step in self.interpreter.steps(before) if step.after is not None]
        if place >= len(steps) or steps[place].after != after:
            raise self._differs(f"for the interpreter step {place} is not one between", before, after)
        return steps[place]

    def _placed(self, state: Raw, shown: Shown) -> Shown:
        """The same, in the state itself if that is where it shows: a compiled search looks for quiescence while it
        takes steps, and finds its errors there."""
        if not shown.beyond or shown.kind not in ("error", "assert") or self._failing(state, shown) is not None:
            return shown
        failures = [self.interpreter.violated(p, state) for p in self.definition.properties if p.kind == "quiescence"]
        return evolve(shown, beyond=not any(isinstance(f, Failure) and f.line == shown.line for f in failures))

    def _failing(self, state: Raw, shown: Shown) -> Step | None:
        """A step that goes wrong in this line: itself, in a constraint, or in a property that is asked of it."""
        failing = [
            evolve(step, failure=failure)
            for step in self.interpreter.steps(state)
            for failure in self._failures(state, step, shown.cut)
            if failure.line == shown.line
        ]
        same = (step for step in failing if step.failure is not None and step.failure.name == shown.name)
        return next(same, failing[0] if failing else None)  # two may go wrong in one line

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
                if self.interpreter.violated(self._property(shown.name), step.after, before) is True:
                    return step
        if shown.kind == "error":
            refuse_limit(self.definition, shown.line)
        what = f"{shown.kind} {shown.name} (line {shown.line})"
        raise self._differs(f"the interpreter finds no step that shows {what} in", state)

    def _confirm(self, states: Sequence[Raw], shown: Shown, steps: Sequence[Step] = ()) -> None:
        if shown.kind in ("error", "assert"):
            if shown.beyond:
                return
            asked = (p for p in self.definition.properties if p.kind not in ("step", "leads-to"))
            if not any(isinstance(self.interpreter.violated(p, states[-1]), Failure) for p in asked):
                if shown.kind == "error":
                    refuse_limit(self.definition, shown.line)
                raise self._differs("the interpreter evaluates every property in", states[-1])
            return
        property = self._property(shown.name)
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

    def _property(self, name: str) -> PropertyDefinition:
        return next(p for p in self.definition.properties if p.name == name)

    def _differs(self, what: str, *states: Raw) -> Disagreement:
        return Disagreement(f"{what}\n  " + "\nand\n  ".join(state_text(self.definition, s) for s in states))

    # Building

    def build(self, states: Sequence[Raw], steps: Sequence[Step], shown: Shown, claim: str | None = None) -> Trace:
        """The trace of steps that the interpreter itself has taken; what it shows is taken on trust."""
        self._copies, self._next = {}, 1
        values = [{v.name: plain_raw(v.domain, r) for v, r in zip(self.definition.variables, s)} for s in states]
        lanes = self._lanes()
        sentence, bound = self._witness(states, shown)
        guilty = _guilty(lanes, sentence, bound)
        picture = self.definition.picture
        loop = shown.loop
        waiting = () if loop is None else passed_over(self.interpreter, states[loop:-1], steps[loop:])
        undone = shown.kind in ("quiescence", "leads-to")
        return Trace(
            model=self.reference,
            property=shown.name,
            kind=shown.kind,
            states=values,
            steps=[self._step(n, s, lanes, values[n - 1], values[n]) for n, s in enumerate(steps, 1)],
            reference=self.reference,
            constants=self.definition.constants,
            witness=sentence,
            witness_values=bound,
            guilty=guilty,
            claim=claim,
            loop=shown.loop,
            not_taken=tuple(map(str, waiting)),
            blocked=self._blocked(states, steps, loop, bound.values()) if undone else (),
            edit=_edit(first_paragraph(inspect.getdoc(self.definition.model))),
            lanes=lanes,
            final_values=self._final(states[0], states[-1], lanes, shown),
            engine=self.engine,
            networks=tuple(v.name for v in self.definition.variables if v.network is not None),
            shared={name: (lane.title, lane.entry) for name, lane in picture.lanes.items()},
            clocks=picture.clocks,
            badges=picture.badges,
            aside=picture.aside,
            verdicts=self._verdicts(states),
        )

    def _blocked(
        self, states: Sequence[Raw], steps: Sequence[Step], loop: int | None, about: Collection[Any]
    ) -> tuple[str, ...]:
        from checker.replay.blocked import blocked

        return blocked(self.interpreter, states, steps, loop, about)

    def _lane_domains(self) -> list[Domain]:
        """The types whose members act: processes; without them those of the first parameters of actions, or else the
        first type of identities there is."""
        if self.definition.process is not None:
            return [self.definition.process]
        first: list[Domain] = [a.parameters[0].domain for a in self.definition.actions if a.parameters]
        acting = [d for d in first if isinstance(d, IdsDomain)]
        domains: list[Domain] = [p.domain for a in self.definition.actions for p in a.parameters]
        domains += [v.domain.key for v in self.definition.variables if isinstance(v.domain, MapDomain)]
        named = (d for d in domains if isinstance(d, IdsDomain))
        return [d for i, d in enumerate(acting) if d not in acting[:i]] or [*islice(named, 1)]

    def _lanes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(plain(m)) for domain in self._lane_domains() for m in domain))

    def _step(
        self, number: int, step: Step, lanes: tuple[str, ...], before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> TraceStep:
        arguments = {name: plain(value) for name, value in step.arguments}
        actor = step.action.actor
        lane = arguments.get(actor) if actor else next((v for v in arguments.values() if v in lanes), None)
        function = step.action.function
        failed = step.failure
        words = self.definition.picture.steps.get(step.action.name)
        return TraceStep(
            number,
            step.action.name,
            arguments,
            str(lane) if lane is not None else None,
            label=label(words, arguments, before, after) if words is not None else "",
            fault=step.action.fault,
            events=self._events(step),
            source=_place(function) if function else None,
            note=f"{failed.message} ({failed.place})" if failed else "",
        )

    def _events(self, step: Step) -> tuple[te.Event, ...]:
        result: list[te.Event] = []
        unreached: tuple[str, ...] = ()
        before = ""
        for event in step.events:
            a = [plain(x) for x in event.arguments]
            match event.name:
                case "multicast":
                    result.append(te.Multicast(str(a[0]), a[1] if len(a) > 1 else None))
                case "send":
                    result.append(te.Send(self._copy(tuple(a)), str(a[1]), str(a[2]), show(a[3])))
                case "receive" if not self._copies.get(tuple(a)):
                    result.append(te.Note(str(a[2]), f"{show(a[3])} was in flight from the start"))
                case "receive":
                    result.append(te.Receive(self._take(tuple(a)), str(a[2])))
                case "lose" | "duplicate" if not self._copies.get(tuple(a)):
                    pass  # in flight from the start: a run that begins in the middle has no arrow for it
                case "lose":
                    result.append(te.Lost(self._take(tuple(a))))
                case "duplicate":
                    number = self._copies[tuple(a)][0]
                    result.append(te.Duplicated(number, self._copy(tuple(a))))
                case "deliver":
                    result.append(te.Deliver(str(a[0]), a[1] if len(a) > 1 else None))
                case "unreached":
                    unreached = tuple(map(str, a))
                case "unsent":
                    before = f"sending {show(a[3])} to {a[2]}"
                case "undelivered":
                    before = f"delivering {show(a[1])}" if len(a) > 1 else "delivering"
                case "crash":
                    result.append(te.Crash(str(a[0]), unreached, before))
                    self._copies = {k: v for k, v in self._copies.items() if k[2] != a[0]}
                case name:
                    quiet = name in self.definition.picture.quiet
                    result.append(te.Emit(name, str(a[0]) if a else "", tuple(a[1:]), quiet))
        return tuple(result)

    def _copy(self, key: tuple[Any, ...]) -> int:
        number = self._next
        self._next += 1
        self._copies.setdefault(key, []).append(number)
        return number

    def _take(self, key: tuple[Any, ...]) -> int:
        return self._copies[key].pop(0)

    def _witness(self, states: Sequence[Raw], shown: Shown) -> tuple[str, FrozenMap]:
        if shown.kind == "leads-to":
            bound = FrozenMap({n: plain(v) for n, v in shown.values.items()})
            return self._run_sentence(shown, states[-1], len(states) - 1), bound
        if shown.kind in ("error", "assert", "reachable"):
            return "", FrozenMap()
        property = self._property(shown.name)
        viewpoint = self.interpreter.viewpoint(states[-1], property.owner, states[-2] if shown.kind == "step" else None)
        found = witness(property.function, viewpoint)
        bound = FrozenMap({n: plain(v) for n, v in found.values.items()} if found else {})
        if property.explain is not None:
            wanted, values = list(inspect.signature(property.explain).parameters)[1:], found.values if found else {}
            if all(n in values for n in wanted):
                return property.explain(viewpoint, **{n: values[n] for n in wanted}), bound
        text = reason(viewpoint, property.function.__name__)
        # else it begins with a name of the model
        return ("F" + text[1:] if text.startswith("for ") else text) + ".", bound

    def _run_sentence(self, shown: Shown, state: Raw, last: int) -> str:
        property = self._property(shown.name)
        owners = (p for p in self.definition.model.properties if p.__name__ == shown.name)
        paragraph = next((first_paragraph(inspect.cleandoc(vars(p).get("__doc__") or "")) for p in owners), "")
        values = " and ".join(f"{n} = {show(plain(v))}" for n, v in shown.values.items())
        element = f" for {values}" if values else ""
        start = f"What {shown.name} promises{element} never comes"
        if paragraph:
            start = f"{paragraph.removesuffix('.')}. Not here{element}"
        if property.explain is not None:
            wanted = list(inspect.signature(property.explain).parameters)[1:]
            start = property.explain(
                self.interpreter.viewpoint(state, property.owner), **{n: shown.values[n] for n in wanted}
            ).removesuffix(".")
        if shown.loop is None:
            steps = list(self.interpreter.steps(state))
            after = f"after step {last}" if last else "from the start"
            waiting = ", ".join(dict.fromkeys(s.action.name for s in steps if s.progress))
            if waiting:
                return f"{start}: {after} nothing must happen, for {waiting} may wait for ever."
            return f"{start}: {after} nothing {'but faults' if steps else 'more'} can happen."
        repeated = f"step {last}" if shown.loop + 1 == last else f"steps {shown.loop + 1} to {last}"
        return f"{start}: the run repeats {repeated} for ever, and is weakly fair."

    def _final(self, start: Raw, state: Raw, lanes: tuple[str, ...], shown: Shown) -> dict[str, str]:
        lane_domains = self._lane_domains()
        names = set(self.definition.model.outcome)
        if any(p.name == shown.name for p in self.definition.properties):
            function = self._property(shown.name).function
            own = {v.name.partition(".")[2] for v in self.definition.variables if v.name.startswith(f"{shown.name}.")}
            names |= self._variables_of(function, own)  # a name of its own it would mean before the model's
        result: dict[str, list[str]] = {lane: [] for lane in lanes}
        for variable, first, raw in zip(self.definition.variables, start, state):
            if variable.name not in names:
                continue
            domain = variable.domain
            value, before = plain_raw(domain, raw), plain_raw(domain, first)
            if isinstance(domain, MapDomain) and domain.key in lane_domains and isinstance(value, FrozenMap):
                for lane, item in value.items():
                    result[str(lane)].append(f"{variable.name} {_changed(before[lane], item)}")
            elif isinstance(domain, SetDomain) and domain.item in lane_domains and isinstance(value, frozenset):
                for lane in filter(value.__contains__, lanes):
                    result[lane].append(self.definition.picture.badges.get(variable.name, variable.name))
            elif variable.name not in lanes:
                result[variable.name] = [_changed(before, value)]
        return {lane: ", ".join(texts) for lane, texts in result.items() if texts}

    def _variables_of(self, function: Callable[..., Any], own: set[str]) -> set[str]:
        """The variables that a property reads; where it reads none itself, those that its rules read."""
        variables = {v.name for v in self.definition.variables if v.network is None}
        methods, functions, seen = self.definition.methods, [function], set[str]()
        while functions:
            named = set().union(*(set(f.__code__.co_names) | _inner_names(f) for f in functions)) - own - seen
            if found := named & variables:
                return found
            seen |= named
            functions = [methods[n].function for n in sorted(named & methods.keys())]
        return set()

    def _verdicts(self, states: Sequence[Raw]) -> dict[str, tuple[bool, ...]]:
        shown = [p for p in self.definition.properties if p.kind in ("invariant", "reachable")]
        for state in (s for s in states if s not in self._truths):
            truths = {p.name: self.interpreter.violated(p, state) is (p.kind == "reachable") for p in shown}
            self._truths[state] = truths
        return {p.name: tuple(self._truths[s][p.name] for s in states) for p in shown}


def _changed(before: Any, value: Any) -> str:
    """A value as text; of a map what is not as it was at the start, and dots for the rest."""
    if not isinstance(value, FrozenMap):
        return show(value)
    entries = {k: v for k, v in value.items() if v != before[k]}
    if len(entries) == len(value):
        return show(value)
    return f"{show(FrozenMap(entries))[:-1]}, ...}}" if entries else "{...}"


def _guilty(lanes: Sequence[str], sentence: str, bound: Mapping[str, Any]) -> tuple[str, ...]:
    """The lanes that the witness speaks of; "for p = p3, q = p1: ..." names some only to say where it looked, so those
    behind the colon count if there are any."""
    said = sentence.partition(": ")[2] if sentence.startswith("For ") else ""
    behind = tuple(lane for lane in lanes if mentions(said, lane) and lane in bound.values())
    among = tuple(lane for lane in lanes if any(v == lane for v in bound.values()))
    return behind or among or tuple(lane for lane in lanes if mentions(sentence, lane))


def _inner_names(function: Any) -> set[str]:
    return {name for constant in function.__code__.co_consts for name in getattr(constant, "co_names", ())}


def _place(function: Any) -> tuple[str, int]:
    """File and line of an action."""
    return shortened((inspect.getsourcefile(function) or "", function.__code__.co_firstlineno))


def _edit(described: str) -> str | None:
    """What a class says that it changes, without EDIT; what is a reading or a repair says so."""
    return described.removeprefix("EDIT:").strip() if described.startswith(("EDIT:", "READING:", "REPAIR:")) else None

"""A run that the interpreter has taken as a trace: plain values, events with numbered copies of messages, the sentence
about the finding, and the values at the end that belong to it.

Nothing is confirmed here: `checker.replay.replay` does that first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Any

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.backends.interpreter.witness import witness
from checker.frozen import frozen
from checker.language.collection_domains import MapDomain
from checker.language.constants import Constant, fixed
from checker.language.definition import Definition, PropertyDefinition
from checker.language.domains import Domain, IdsDomain, SetDomain
from checker.language.model import Model
from checker.language.places import of_function
from checker.replay.base import CHANGING, kind_of
from checker.replay.cited import shortened
from checker.replay.fairness import passed_over
from checker.replay.guards import reason
from checker.replay.labels import label
from checker.replay.plain import plain, plain_raw
from checker.replay.rules_at_end import names_in, values_of_rules
from checker.replay.sentences import Finding, claim_of, explained, never_comes, waiting
from checker.replay.sought import sought
from checker.revisions import origin_of
from checker.trace import events as te
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, mentions, show
from checker.wording import first_paragraph, first_sentence


@frozen
class Shown:
    """The finding of a chain of states: a property (or a failure, by kind and line), and whether it occurs on a step
    beyond the last state.
    """

    kind: str
    name: str
    line: int = 0
    beyond: bool = False
    cut: bool = False
    loop: int | None = None
    values: Mapping[str, Any] = field(factory=dict)  # values of the parameters of a leads-to property, by name


def property_of(definition: Definition, name: str) -> PropertyDefinition:
    """The property with that name."""
    return next(p for p in definition.properties if p.name == name)


@define
class Run:
    """The states and steps of a run of a model, and its finding."""

    interpreter: Interpreter
    states: Sequence[Raw]
    steps: Sequence[Step]
    shown: Shown
    acting: list[Domain] = field(init=False)
    lanes: tuple[str, ...] = field(init=False)
    _copies: dict[tuple[Any, ...], list[int]] = field(factory=dict)
    _numbers: Iterator[int] = field(factory=lambda: count(1))

    def __attrs_post_init__(self) -> None:
        self.acting = _acting(self.definition)
        self.lanes = tuple(dict.fromkeys(str(plain(m)) for domain in self.acting for m in domain))

    @property
    def definition(self) -> Definition:
        """The model of the definition."""
        return self.interpreter.definition

    def trace(self, reference: str, engine: str, claim: str | None, verdicts: Mapping[str, tuple[bool, ...]]) -> Trace:
        """The trace; verdicts: the truth of properties in each state."""
        definition, shown, picture = self.definition, self.shown, self.definition.picture
        values = [{v.name: plain_raw(v.domain, r) for v, r in zip(definition.variables, s)} for s in self.states]
        finding = self._witness()
        sentence, bound = finding.sentence, finding.values
        steps = [self._step(n, s, values[n - 1], values[n]) for n, s in enumerate(self.steps, 1)]
        first, final = self._final(self.states[0]), self._final(self.states[-1])
        moved = [n for n in final if final[n] != first.get(n)] if shown.kind in ("invariant", "step") else ()
        guilty = _guilty(self.lanes, finding.formula or sentence, {**bound, **self._waiting()}, moved)
        loop = shown.loop
        waiting = () if loop is None else passed_over(self.interpreter, self.states[loop:-1], self.steps[loop:])
        origin = origin_of(definition.model)
        trace = Trace(
            model=reference,
            revision=origin.commit if origin else "",
            renamed=tuple(origin.renamed.items()) if origin else (),
            property=shown.name,
            kind=shown.kind,
            states=values,
            steps=steps,
            reference=origin.reference(definition.model) if origin else reference,
            constants=definition.constants,
            usual=tuple(_usual(definition)),
            witness=sentence,
            witness_values=bound,
            asks=finding.asks,
            guilty=guilty,
            claim=claim,
            loop=loop,
            not_taken=tuple(map(str, waiting)),
            faults=self._faults() if shown.kind == "quiescence" else (),
            **_described(definition.model),  # type: ignore[arg-type]
            lanes=self.lanes,
            final_values={**self._rules(guilty, sentence, final), **final},
            engine=engine,
            networks=tuple(v.name for v in definition.variables if v.network is not None),
            shared={name: (lane.title, lane.entry) for name, lane in picture.lanes.items()},
            clocks=picture.clocks,
            badges=picture.badges,
            aside=picture.aside,
            verdicts=verdicts,
        )
        if shown.kind not in ("quiescence", "leads-to"):
            return trace
        return sought(lambda: evolve(trace, blocked=self._blocked(sentence, bound, steps)), trace)

    def _faults(self) -> tuple[str, ...]:
        """The faults that are enabled at the end; a crash in the middle of a step is a crash."""
        steps = self.interpreter.steps(self.states[-1])
        return tuple(dict.fromkeys(s.action.name if s.action.fault else "crash" for s in steps if not s.progress))

    def _blocked(self, sentence: str, bound: Mapping[str, Any], steps: Sequence[TraceStep]) -> tuple[str, ...]:
        from checker.replay.blocked import Missed, blocked
        from checker.replay.crashed import crashed
        from checker.replay.lost import lost
        from checker.replay.turned_away import turned_away

        witness = tuple(dict.fromkeys(map(show, bound.values())))
        named = [lane for lane in self.lanes if mentions(sentence, lane)]
        if len(named) == 1 and not any(value in self.lanes for value in witness):
            witness = *witness, *named  # the process that a sentence about a message names: its sender
        missed = Missed(witness, self.lanes, self._came(bound))
        gone = lost(self.interpreter, self.states, self.steps, steps, missed.process)
        if missed.process is not None:
            names = self.read(property_of(self.definition, self.shown.name))
            run = self.interpreter, self.states, self.steps
            gone = (*turned_away(*run, missed.process, missed.witness, names, self.lanes), *gone)
            gone += crashed(*run, steps, missed.process, missed.came)
        return blocked(self.interpreter, self.states, self.steps, self.shown.loop, missed, gone)

    def _came(self, bound: Mapping[str, Any]) -> Callable[[Raw], bool]:
        """Whether a state has the missing value: the property is true for these values, and a variable that it reads
        differs from the end of the run.
        """
        property, judge = property_of(self.definition, self.shown.name), Interpreter(self.definition)
        if property.kind == "leads-to":
            then = property.at(self.shown.values)
            return lambda state: judge.violated(then, state) is False
        names = self.read(property)
        process = next((v for v in reversed([*bound.values()]) if v in self.lanes), None)

        def read(state: Raw) -> list[Any]:
            values = (plain_raw(v.domain, r) for v, r in zip(self.definition.variables, state) if v.name in names)
            return [v[process] if isinstance(v, FrozenMap) and process in v else v for v in values]

        at_end = read(self.states[-1])

        def came(state: Raw) -> bool:
            if read(state) == at_end:
                return False
            if (violated := judge.violated(property, state)) is not True:
                return violated is False
            found = witness(property.function, judge.viewpoint(state, property.owner))
            return found is not None and {n: plain(v) for n, v in found.values.items()} != dict(bound)

        return came

    # Steps

    def _step(self, number: int, step: Step, before: Mapping[str, Any], after: Mapping[str, Any]) -> TraceStep:
        arguments = {name: plain(value) for name, value in step.arguments}
        actor, function, failed = step.action.actor, step.action.function, step.failure
        lane = arguments.get(actor) if actor else next((v for v in arguments.values() if v in self.lanes), None)
        words = self.definition.picture.steps.get(step.action.name)
        return TraceStep(
            number,
            step.action.name,
            arguments,
            str(lane) if lane is not None else None,
            label=label(words, arguments, before, after) if words is not None else "",
            fault=step.action.fault,
            events=self._events(step),
            source=place_of_action(function) if function else None,
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
                case "unarrived":
                    result.append(te.Dropped(str(a[1]), str(a[2]), show(a[3])))
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
        number = next(self._numbers)
        self._copies.setdefault(key, []).append(number)
        return number

    def _take(self, key: tuple[Any, ...]) -> int:
        return self._copies[key].pop(0)

    # The finding

    def _property(self) -> PropertyDefinition:
        return property_of(self.definition, self.shown.name)

    def _waiting(self) -> dict[str, Any]:
        shown = self.shown
        if shown.kind != "leads-to":
            return {}
        return waiting(self.interpreter, self._property(), self.states, shown.loop, shown.values)

    def _witness(self) -> Finding:
        """How the property is violated."""
        shown, states = self.shown, self.states
        if shown.kind == "leads-to":
            told = never_comes(self.interpreter, self._property(), self.states, shown.loop, shown.values)
            return evolve(told, values={n: plain(v) for n, v in shown.values.items()})
        if shown.kind in ("error", "assert"):
            failing = None if shown.beyond else self.interpreter.failing(states[-1], shown.line)
            text = failing and f"{failing[1].message} ({failing[1].place}), where {failing[0].name} is evaluated"
            return Finding(text or "")
        if shown.kind == "reachable":
            return Finding()
        property = property_of(self.definition, shown.name)
        viewpoint = self.interpreter.viewpoint(states[-1], property.owner, states[-2] if shown.kind == "step" else None)
        found = witness(property.function, viewpoint)
        values = found.values if found else {}
        bound = FrozenMap({n: plain(v) for n, v in values.items()})
        if (stated := explained(property, viewpoint, values)) is not None:
            return Finding(stated, bound)
        text = reason(viewpoint, property.function.__name__)
        if claim := claim_of(self.definition, property):
            return Finding(f"{claim.removesuffix('.')}. Not here: {text}.", bound, f"{text}.", asks=True)
        # else the sentence begins with a name of the model
        return Finding(("F" + text[1:] if text.startswith("for ") else text) + ".", bound)

    def _final(self, state: Raw) -> dict[str, str]:
        """The values in a state that the property reads, else those of the outcome, by lane; those that belong to no
        lane by variable."""
        names = set[str]()
        if any(p.name == self.shown.name for p in self.definition.properties):
            names = self.read(property_of(self.definition, self.shown.name))
        return self._by_lane(state, names) or self._by_lane(state, self.definition.model.outcome)

    def _rules(self, guilty: Collection[str], sentence: str, final: Mapping[str, str]) -> Mapping[str, str]:
        """The values of the rules that the property asks of the processes that it is about, if it reads no variable of
        theirs."""
        if self.shown.kind not in ("invariant", "quiescence") or any(lane in final for lane in self.lanes):
            return {}
        named = [lane for lane in self.lanes if lane in guilty or mentions(sentence, lane)]
        return values_of_rules(self.interpreter, self._property(), self.states[-1], self.acting, named)

    def _by_lane(self, state: Raw, names: Collection[str]) -> dict[str, str]:
        result: dict[str, list[str]] = {lane: [] for lane in self.lanes}
        for variable, first, raw in zip(self.definition.variables, self.states[0], state):
            if variable.name not in names:
                continue
            domain = variable.domain
            value, before = plain_raw(domain, raw), plain_raw(domain, first)
            if isinstance(domain, MapDomain) and domain.key in self.acting and isinstance(value, FrozenMap):
                for lane, item in value.items():
                    result[str(lane)].append(f"{variable.name} {_changed(before[lane], item)}")
            elif isinstance(domain, SetDomain) and domain.item in self.acting and isinstance(value, frozenset):
                for lane in filter(value.__contains__, self.lanes):
                    result[lane].append(self.definition.picture.badges.get(variable.name, variable.name))
            elif variable.name not in self.lanes:
                result[variable.name] = [_changed(before, value)]
        return {lane: ", ".join(texts) for lane, texts in result.items() if texts}

    def read(self, property: PropertyDefinition) -> set[str]:
        """The variables of the model that a property reads; if it reads none itself, those that its rules read."""
        return next(filter(None, self._levels(property)), set())

    def depended_on(self, property: PropertyDefinition) -> set[str]:
        """The variables that a property reads, through its rules too."""
        return set().union(*self._levels(property))

    def _levels(self, property: PropertyDefinition) -> Iterator[set[str]]:
        """The variables that a property reads itself, those that its rules read, those that their rules read."""
        prefix = f"{property.name}."
        own = {v.name.partition(".")[2] for v in self.definition.variables if v.name.startswith(prefix)}
        variables = {v.name for v in self.definition.variables if v.network is None}
        methods, functions, seen = self.definition.methods, [property.function], set[str]()
        while functions:  # a name of its own the property would mean before the model's
            named = set().union(*(names_in(f.__code__) for f in functions)) - own - seen
            yield named & variables
            seen |= named
            functions = [methods[n].function for n in sorted(named & methods.keys())]


def _acting(definition: Definition) -> list[Domain]:
    """The types whose members act: processes, else those of first parameters, else the first type of identities."""
    if definition.process is not None:
        return [definition.process]
    first: list[Domain] = [a.parameters[0].domain for a in definition.actions if a.parameters]
    acting = [d for d in first if isinstance(d, IdsDomain)]
    domains: list[Domain] = [p.domain for a in definition.actions for p in a.parameters]
    domains += [v.domain.key for v in definition.variables if isinstance(v.domain, MapDomain)]
    named = (d for d in domains if isinstance(d, IdsDomain))
    return [d for i, d in enumerate(acting) if d not in acting[:i]] or [*islice(named, 1)]


def _changed(before: Any, value: Any) -> str:
    """A value as text; for a map the entries that differ from its initial value, and dots for the rest."""
    if not isinstance(value, FrozenMap):
        return show(value)
    entries = {k: v for k, v in value.items() if v != before[k]}
    if len(entries) == len(value):
        return show(value)
    return f"{show(FrozenMap(entries))[:-1]}, ...}}" if entries else "{...}"


def _guilty(lanes: Sequence[str], sentence: str, bound: Mapping[str, Any], moved: Collection[str]) -> tuple[str, ...]:
    """The lanes that contradict the property.  In "for p = p3, q = p1: ..." the lanes before the colon may only select
    the place, so the lanes after the colon count, if there are any; else the named lanes whose values differ from their
    initial values.
    """
    claim = sentence.partition(": ")[2] if sentence.lower().startswith("for ") else ""
    behind = tuple(lane for lane in lanes if mentions(claim, lane) and lane in bound.values())
    among = tuple(lane for lane in lanes if any(v == lane for v in bound.values()))
    if behind or not among:
        return behind or tuple(lane for lane in lanes if mentions(sentence, lane))
    return tuple(lane for lane in among if lane in moved) or among


def place_of_action(function: Any) -> tuple[str, int]:
    """File and line of an action: its `def`."""
    place = of_function(function)
    return shortened((place.file, place.line))


def _usual(definition: Definition) -> Iterator[str]:
    """The constants that have their defaults, set or not: a default may depend on other constants."""
    for name, value in definition.constants.items():
        declared = inspect.getattr_static(definition.model, name, None)
        if isinstance(declared, Constant) and fixed(declared.default, definition.constants) == value:
            yield name


def _described(model: type[Model]) -> dict[str, str]:
    """The docstring of a class as fields of a trace: its change, without the word EDIT (READING and REPAIR are kept);
    else its first sentence, with the word for what the class is, if that is no mere edit, before it.
    """
    described, kind = first_paragraph(vars(model).get("__doc__")), kind_of(model)
    if described.startswith(tuple(f"{change.upper()}:" for change in CHANGING)):
        return {"edit": described.removeprefix("EDIT:").strip()}
    sentence = first_sentence(described)
    if kind == "protocol" or not sentence:
        return {"protocol": sentence} if sentence else {}
    head = "" if kind == "edit" or sentence.startswith(kind.upper()) else f"{kind.upper()}: "
    return {"edit": f"{head}{sentence}"}

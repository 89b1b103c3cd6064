"""What differs between two small models, by brute force: both state graphs from the interpreter, compared as sets.

Nothing here is shared with the code of a comparison but the interpreter, which says what a model means.  Every answer
is computed in the plainest way there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from attrs import define, field

from checker.analysis.compare.events import Kinds, word_of
from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.ir import types as t
from checker.ir.values import key, values
from checker.language.definition import Definition
from checker.replay.plain import plain, plain_raw
from checker.trace.trace import Step as TraceStep
from checker.trace.values import FrozenMap, Multiset, Rec

END = "the end of the run"


class TooLarge(Exception):
    """More states than are worth the time."""


@define(eq=False)
class Graph:
    """All states that a model reaches within its constraints, with all steps out of them.  level: the fewest steps to a
    state; findings: fewest steps to what shows."""

    definition: Definition
    most: int
    interpreter: Interpreter = field(init=False)
    initial: list[Raw] = field(init=False)
    level: dict[Raw, int] = field(factory=dict)
    steps: dict[Raw, list[Step]] = field(factory=dict)
    cut: set[Raw] = field(factory=set)
    findings: dict[tuple[str, str], int] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.interpreter = Interpreter(self.definition)
        self.initial = self.interpreter.initial()
        self.level = dict.fromkeys(self.initial, 0)
        for state in (queue := list(self.initial)):
            if len(queue) > self.most:
                raise TooLarge
            self.steps[state] = list(self.interpreter.steps(state))
            for after in self.successors(state):
                if after not in self.level:
                    self.level[after] = self.level[state] + 1
                    queue.append(after)
        for state in queue:
            self._judge(state)

    @property
    def transitions(self) -> int:
        """Steps out of all states."""
        return sum(map(len, self.steps.values()))

    def successors(self, state: Raw) -> list[Raw]:
        """The states inside the constraints to which a step leads."""
        return [s.after for s in self.steps[state] if s.after is not None and self.interpreter.kept(s.after)]

    def quiescent(self, state: Raw) -> bool:
        """No action but faults is enabled."""
        return all(s.action.fault for s in self.steps[state])

    def plain(self, state: Raw, names: Iterable[str] | None = None) -> FrozenMap:
        """The state in plain values."""
        wanted = None if names is None else set(names)
        return FrozenMap(
            {
                v.name: plain_raw(v.domain, r)
                for v, r in zip(self.definition.variables, state)
                if wanted is None or v.name in wanted
            }
        )

    def outcomes(self, names: list[str]) -> dict[FrozenMap, int]:
        """Values of these variables in quiescent states, with the fewest steps to each."""
        found: dict[FrozenMap, int] = {}
        for state, level in self.level.items():
            if self.quiescent(state):
                found.setdefault(self.plain(state, names), level)
        return found

    # Findings

    def _judge(self, state: Raw) -> None:
        level = self.level[state]
        for p in self.definition.properties:
            if p.kind in ("invariant", "reachable") or p.kind == "quiescence" and self.quiescent(state):
                self._note(p.kind, p.name, self.interpreter.violated(p, state), level)
        for step in self.steps[state]:
            if step.after is None:
                self._note("", "", step.failure, level + 1)
                continue
            for p in self.definition.properties:
                if p.kind == "step":
                    self._note(p.kind, p.name, self.interpreter.violated(p, step.after, state), level + 1)
            self._note("", "", self.interpreter.unconstrained(step.after) or False, level + 1)
            if not self.interpreter.kept(step.after):
                self.cut.add(step.after)
                for p in self.definition.properties:
                    if p.kind in ("invariant", "reachable"):
                        self._note(p.kind, p.name, self.interpreter.violated(p, step.after), level + 1)

    def _note(self, kind: str, name: str, shown: bool | Failure | None, steps: int) -> None:
        if isinstance(shown, Failure):
            kind, name = shown.kind, f"{shown.name} (line {shown.line})"
        if shown:
            self.findings[kind, name] = min(steps, self.findings.get((kind, name), steps))


# Steps of one side alone


def first_steps_alone(mine: Graph, other: Graph) -> tuple[int, int | None, set[tuple[Raw | None, Raw]]]:
    """Common states (those that both reach by common steps), the length of a shortest run to a step of mine alone (0: a
    start; None: there is none), and these shortest steps."""
    common: dict[Raw, int] = {}
    alone: dict[tuple[Raw | None, Raw], int] = {(None, s): 0 for s in mine.initial if s not in other.initial}
    queue = [s for s in mine.initial if s in other.initial]
    common |= dict.fromkeys(queue, 0)
    for state in queue:
        theirs = set(other.successors(state))
        for after in mine.successors(state):
            if after not in theirs:
                alone.setdefault((state, after), common[state] + 1)
            elif after not in common:
                common[after] = common[state] + 1
                queue.append(after)
    least = min(alone.values(), default=None)
    return len(common), least, {pair for pair, length in alone.items() if length == least}


# Sequences of events


def first_word_alone(
    mine: Graph, other: Graph, my_kinds: Mapping[str, Kinds], kinds: Mapping[str, Kinds]
) -> int | None:
    """The length of a shortest sequence of events (with END) that mine tells alone; None if there is none."""
    sides = _Told(mine, my_kinds), _Told(other, kinds)
    start = tuple(side.closed(frozenset((s, ()) for s in side.graph.initial)) for side in sides)
    seen = {start}
    queue = [(start, 0)]
    for (left, right), length in queue:
        ends = [
            any(rest == () and side.graph.quiescent(s) for s, rest in nodes)
            for side, nodes in zip(sides, (left, right))
        ]
        a, b = sides[0].next(left), sides[1].next(right)
        if ends[0] and not ends[1] or a.keys() - b.keys():
            return length + 1
        for event in a:
            pair = (sides[0].closed(a[event]), sides[1].closed(b[event]))
            if pair not in seen:
                seen.add(pair)
                queue.append((pair, length + 1))
    return None


Node = tuple[Raw, tuple[str, ...]]  # where a step leads, and what of it is still to be told


@define(eq=False)
class _Told:
    graph: Graph
    kinds: Mapping[str, Kinds]

    def steps(self, node: Node) -> Iterator[Node]:
        """The steps from a state: where they lead, and what they tell."""
        for step in self.graph.steps[node[0]]:
            if step.after is not None and self.graph.interpreter.kept(step.after):
                yield step.after, word_of(step.events, self.kinds)

    def closed(self, nodes: frozenset[Node]) -> frozenset[Node]:
        """All to which nothing told leads; steps that tell something stand at their beginning."""
        found = set(nodes)
        queue = list(nodes)
        for node in queue:
            for after in self.steps(node) if node[1] == () else ():
                if after not in found:
                    found.add(after)
                    queue.append(after)
        return frozenset(found)

    def next(self, nodes: frozenset[Node]) -> dict[str, frozenset[Node]]:
        """By event, the nodes to which it leads."""
        found: dict[str, set[Node]] = {}
        for state, rest in nodes:
            if rest:
                found.setdefault(rest[0], set()).add((state, rest[1:]))
        return {event: frozenset(after) for event, after in found.items()}


# The first step that a base does not allow


def first_not_allowed(states: Sequence[Mapping[str, Any]], base: Interpreter, steps: int) -> int | None:
    """The number of the first of these steps that the base cannot follow, by the values of common variables; 0 if it
    does not start so, None if it follows to the end."""
    return next((number for number, agreeing in enumerate(_followed(states, base, steps)) if not agreeing), None)


def first_step_calls(
    states: Sequence[Mapping[str, Any]], base: Interpreter, step: TraceStep, number: int | None = None
) -> list[Step]:
    """The steps of the base with the action and arguments of a step (the last, or this one) in the states in which it
    has followed so far."""
    number = len(states) - 1 if number is None else number
    agreeing = list(_followed(states, base, number - 1, True))[-1]
    return [
        s
        for state in agreeing
        for s in base.steps(state)
        if s.action.name == step.action and {n: plain(v) for n, v in s.arguments} == dict(step.args)
    ]


def _followed(
    states: Sequence[Mapping[str, Any]], base: Interpreter, steps: int, unseen: bool = False
) -> Iterator[set[Raw]]:
    """The states of the base that agree with each state of a run; `unseen`: the last with what it reaches from there
    without changing what both have."""
    known = [v.name for v in base.definition.variables]
    common = [n for n in known if n in states[0]]
    plainly = Plainly(base.definition, common)
    wanted = [FrozenMap({n: s[n] for n in common}) for s in states]
    now = {s for s in base.initial() if plainly(s) == wanted[0]}
    for number in range(steps + 1):
        if number:
            after = {
                s.after
                for state in now
                for s in base.steps(state)
                if s.after is not None and plainly(s.after) == wanted[number]
            }
            now = after | (now if wanted[number] == wanted[number - 1] else set())
        shown = set(now)
        queue = list(now)
        for state in queue if len(common) < len(known) else ():  # what only the base has may change unseen
            for s in base.steps(state):
                if s.after is not None and plainly(s.after) == wanted[number] and s.after not in now:
                    now.add(s.after)
                    queue.append(s.after)
        yield now if unseen else shown
        if not now:
            return


@define(eq=False)
class Plainly:
    """Raw states by the plain values of some variables."""

    definition: Definition
    names: list[str]

    def __call__(self, state: Raw) -> FrozenMap:
        return FrozenMap(
            {v.name: plain_raw(v.domain, r) for v, r in zip(self.definition.variables, state) if v.name in self.names}
        )


# Rules

FAILS = "fails"


def rule_value(interpreter: Interpreter, name: str, state: Raw, arguments: tuple[Any, ...]) -> Any:
    """What a rule gives in a state, in plain values; FAILS where it goes wrong."""
    model = interpreter.model
    model.set_raw_state(state)
    try:
        return plain(interpreter.definition.methods[name].function(model, *arguments))
    except Exception:  # whatever goes wrong in a rule
        return FAILS


def random_raw(random: Random, type: t.Type) -> Any:
    """Some value of a type; few messages in a network."""
    match type:
        case t.Seq(item, capacity, grow) | t.Bag(item, capacity, grow):
            items = [random_raw(random, item) for _ in range(random.randint(0, min(capacity, 3 if grow else capacity)))]
            return tuple(sorted(items, key=lambda raw: key(item, raw)) if isinstance(type, t.Bag) else items)
        case t.Map(keys, value):
            return tuple(random_raw(random, value) for _ in values(keys))
        case t.Set(item):
            return frozenset(raw for raw in values(item) if random.random() < 0.5)
        case t.Record(_, fields):
            return tuple(random_raw(random, f) for _, f in fields)
        case t.Union(_, variants):
            number = random.randrange(len(variants))
            return number, random_raw(random, variants[number])
        case t.Optional(item):
            return None if random.random() < 0.4 else random_raw(random, item)
    return random.choice(list(values(type)))


def raw_of(type: t.Type, value: Any) -> Any:
    """The raw value of a plain one."""
    match type:
        case t.Enum(_, names) | t.Ids(_, names, _):
            return list(names).index(value)
        case t.Optional(item):
            return None if value is None else raw_of(item, value)
        case t.Record(_, fields):
            assert isinstance(value, Rec)
            return tuple(raw_of(f, value.fields[n]) for n, f in fields)
        case t.Union(_, variants):
            return next(
                (i, raw_of(v, value))
                for i, v in enumerate(variants)
                if isinstance(v, t.Record) and v.name == value.name
            )
        case t.Map(_, item):
            assert isinstance(value, FrozenMap)
            return tuple(raw_of(item, v) for v in value.values())
        case t.Set(item):
            return frozenset(raw_of(item, v) for v in value)
        case t.Seq(item, _, _):
            return tuple(raw_of(item, v) for v in value)
        case t.Bag(item, _, _):
            assert isinstance(value, Multiset)
            raws = [raw_of(item, v) for v, n in value.counts.items() for _ in range(n)]
            return tuple(sorted(raws, key=lambda raw: key(item, raw)))
    return int(value)

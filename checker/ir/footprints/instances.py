"""The instances of a model's actions, each with its footprint.

An instance is an action with its parameters, for a handler with the kind of the message that it receives, and with
literals: conditions of the state that distinguish its cases.  The kind of a message is its network, its variant and
those of its fields that are identities (of processes, of messages); numbers in it are left open.  The possible kinds
follow from the messages that instances send, so a message that nobody sends has no instance.

Every step of the model is a step of exactly one instance, and reads, writes, sends and takes no more than the footprint
of this instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from attrs import define, evolve, field

from checker.frozen import frozen
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import size
from checker.ir.evaluate.environment import Script
from checker.ir.footprints import shapes
from checker.ir.footprints.crashing import complete
from checker.ir.footprints.effects import Write
from checker.ir.footprints.effort import Effort, TooMany
from checker.ir.footprints.evaluating import Read
from checker.ir.footprints.executing import Impossible, Literal, Run
from checker.ir.footprints.knowledge import Knowledge, Value
from checker.ir.footprints.places import Part
from checker.ir.footprints.shapes import ANYTHING, Known, Shape
from checker.ir.model import Action, Model
from checker.ir.values import Raw, values

MOST_HEADS = 512
"""The largest number of instances, without their cases."""
MOST_OPENING = 64


NOBODY = -1
OPEN = "open"
"""Stands for a parameter whose values do not make separate instances."""


@frozen
class Kind:
    """A class of messages: network, variant of the body (None: it is no union), and the identities by their place."""

    network: str
    variant: int | None
    identities: tuple[tuple[tuple[str, ...], Raw], ...]
    exact: bool
    """Whether the identities are the whole message, so that there is one such message."""


@frozen
class Head:
    """An action with its parameters, and the element of its first choice: a kind of message, or a value."""

    action: int
    arguments: tuple[Raw, ...]
    opening: Kind | Raw = None

    @property
    def process(self) -> int:
        """A number that is the same for the steps of one process: the target of the message, or the first argument."""
        found = self.arguments[0] if self.arguments else NOBODY
        if isinstance(self.opening, Kind):
            found = dict(self.opening.identities).get(("target",), found)
        return found if isinstance(found, int) else NOBODY


@frozen
class Instance:
    """A head in one of its cases, with its footprint.  takes: it takes the message from the network.  residual: its
    guard has conditions other than its literals and the existence of such a message.  takes_surely: each execution of
    it takes the message.  drops: networks, and processes whose messages in flight it drops; drops_surely: in each
    execution.
    """

    head: Head
    literals: tuple[Literal, ...]
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]
    sends: frozenset[Kind]
    takes: bool
    residual: bool
    copies: tuple[tuple[Kind, int], ...] = ()
    """The largest number of messages of each kind that it sends."""
    takes_surely: bool = False
    drops: frozenset[tuple[str, Raw]] = frozenset()
    drops_surely: frozenset[tuple[str, Raw]] = frozenset()
    late: frozenset[Literal] = frozenset()
    """Guards behind something that may be an error: an error may occur although they are false."""
    sendings: frozenset[tuple[int, frozenset[Kind]]] = frozenset()
    """The line of each sending, and the kinds of which its message may be."""


@define
class Instances:
    """Finds the instances of a model.  Raises TooMany."""

    model: Model
    found: list[Instance] = field(factory=list)
    heads: dict[Head, None] = field(factory=dict)
    kinds: dict[Kind, None] = field(factory=dict)
    initial: dict[Kind, int] = field(factory=dict)  # how many messages of each kind there may be in an initial state
    start: dict[str, Raw] = field(factory=dict)  # variables that begin with this value in every initial state
    networks: dict[str, t.Type] = field(init=False)
    _effort: Effort = field(factory=Effort)
    _static: dict[int, Any] = field(factory=dict)
    _pending: list[Head] = field(factory=list)
    crashes_drop: bool = field(init=False)
    """Whether every crash drops the messages in flight to the process."""

    def __attrs_post_init__(self) -> None:
        self.networks = {
            v.name: v.type.item
            for v in self.model.variables
            if isinstance(v.type, t.Bag) and v.type.grow is not None and is_message(v.type.item)
        }
        self.crashes_drop = complete(self.model, self.networks)

    @classmethod
    def of(cls, model: Model) -> Instances:
        """All instances of a model."""
        instances = cls(model)
        instances._start()
        while instances._pending:
            instances._follow(instances._pending.pop(0))
        return instances

    def by_process(self) -> Instances:
        """The instances, sorted by process: among equally small sets of steps, a search stays with one process."""
        self.found.sort(key=lambda instance: instance.head.process)
        return self

    # -- heads

    def _start(self) -> None:
        runs = list(self.runs(self.model.initial, Knowledge(), ""))
        for run in runs:
            for kind, copies in self._copies(run).items():
                self.initial[kind] = max(copies, self.initial.get(kind, 0))
        if len(runs) == 1:
            self._note_start(runs[0])
        for number, action in enumerate(self.model.actions):
            opening = opening_of(action)
            if opening is None or not isinstance(opening.iterable, e.Variable):
                for arguments in self._arguments(action):
                    for value in self._openings(opening):
                        self._add(Head(number, arguments, value))
            elif opening.iterable.name not in self.networks:
                self._add_each(number, None)

    def _note_start(self, run: Run) -> None:
        """Record which variables are set once, as a whole, to a known value."""
        writes: dict[str, list[Write]] = {}
        for write, times in run.effects.writes.items():
            writes.setdefault(write.part.variable, []).extend([write] * min(times, 2))
        given = {n: w[0].raw for n, w in writes.items() if len(w) == 1 and w[0].sure and w[0].known}
        self.start = {n: raw for n, raw in given.items() if Part(n) == writes[n][0].part}

    def _arguments(self, action: Action) -> Iterator[tuple[Raw, ...]]:
        return product(*(list(values(p.type)) if makes_instances(p.type) else [OPEN] for p in action.parameters))

    def _openings(self, opening: s.Choose | None) -> list[Raw]:
        if opening is None or not isinstance(opening.iterable, e.Domain):
            return [None]
        type = opening.iterable.type
        assert isinstance(type, t.Set)
        members = size(type.item) if makes_instances(type.item) else None
        return list(values(type.item)) if members is not None and members <= MOST_OPENING else [None]

    def _add_each(self, number: int, opening: Kind | None) -> None:
        for arguments in self._arguments(self.model.actions[number]):
            self._add(Head(number, arguments, opening))

    def _add(self, head: Head) -> None:
        if head not in self.heads:
            self.heads[head] = None
            self._pending.append(head)
        if len(self.heads) > MOST_HEADS:
            raise TooMany

    def _send(self, network: str, shape: Shape) -> frozenset[Kind]:
        """The possible kinds of a message of this shape; new kinds get receivers."""
        kinds = frozenset(kinds_of(network, self.networks[network], shape))
        for kind in sorted(kinds - set(self.kinds), key=repr):
            self.kinds[kind] = None
            for number, action in enumerate(self.model.actions):
                opening = opening_of(action)
                if opening is not None and opening.iterable == e.Variable(opening.iterable.type, network):
                    self._add_each(number, kind)
        return kinds

    def _copies(self, run: Run) -> dict[Kind, int]:
        """How many messages of each kind a run sends at most."""
        found: dict[Kind, int] = {}
        for sent, times in run.effects.sends.items():
            for kind in self._send(sent.network, sent.shape):
                found[kind] = found.get(kind, 0) + times
        return found

    # -- runs

    def opened(self, head: Head) -> tuple[Knowledge, str]:
        """What is known at the beginning of a head, and the local with the element of its first choice."""
        action = self.model.actions[head.action]
        given = zip(action.parameters, head.arguments)
        known = Knowledge({p.name: Value(ANYTHING if raw is OPEN else Known(raw)) for p, raw in given})
        opening, taken = opening_of(action), ""
        if opening is not None and isinstance(head.opening, Kind):
            taken = opening.local.name
            message = self.networks[head.opening.network]
            known.locals[taken] = Value(shape_of(head.opening, message))
        elif opening is not None and head.opening is not None:
            taken = opening.local.name
            known.locals[taken] = Value(Known(head.opening))
        return known, taken

    def kinds_sent(self, run: Run) -> frozenset[Kind]:
        """The kinds of messages that a run may send."""
        return frozenset(k for x in run.effects.sends for k in kinds_of(x.network, self.networks[x.network], x.shape))

    def _follow(self, head: Head) -> None:
        action = self.model.actions[head.action]
        known, taken = self.opened(head)
        for run in self.runs(action, known, taken):
            copies = self._copies(run)
            self.found.append(
                Instance(
                    head,
                    tuple(run.needed()),
                    tuple(run.evaluation.reads),
                    tuple(evolve(w, times=n) for w, n in run.effects.writes.items()),
                    frozenset(copies),
                    bool(run.effects.takes),
                    run.residual,
                    tuple(copies.items()),
                    run.effects.takes_surely,
                    frozenset(run.effects.drops),
                    frozenset(run.effects.drops_surely),
                    frozenset(run.late),
                    frozenset((x.line, frozenset(self._send(x.network, x.shape))) for x in run.effects.sends),
                )
            )

    def runs(
        self, action: Action, known: Knowledge, taken: str, effort: Effort | None = None, apart: bool = False
    ) -> Iterator[Run]:
        """The possible cases of an action.  apart: split by every branch, not only by those that send."""
        script, more = Script(), True
        networks, effort = frozenset(self.networks), effort or self._effort
        while more:
            run = Run(self.model, networks, effort, self._static, script, taken=taken, apart=apart)
            run.settle(self.crashes_drop)
            try:
                run.body(action.body, known.copy())
                possible = run.possible()
            except Impossible:
                possible = False
            if possible:
                yield run
            more = script.advance()


def opening_of(action: Action) -> s.Choose | None:
    """The choice at the beginning of an action."""
    first = action.body[0] if action.body else None
    return first if isinstance(first, s.Choose) else None


def makes_instances(type: t.Type) -> bool:
    """Whether the values of a parameter or choice make separate instances: identities, numbers, records of them."""
    return all(leaf.__class__ in t.SCALARS for _, leaf in _places(type))


# -- kinds of messages


def is_message(type: t.Type) -> bool:
    """Whether items of a bag are messages of a network."""
    return isinstance(type, t.Record) and {"source", "target", "body"} <= {name for name, _ in type.fields}


def _places(type: t.Type) -> list[tuple[tuple[str, ...], t.Type]]:
    """The scalar fields of records inside records, and all other parts, by their place."""
    if isinstance(type, t.Record):
        return [((name, *rest), leaf) for name, part in type.fields for rest, leaf in _places(part)]
    return [((), type)]


def _at(shape: Shape, type: t.Type, place: tuple[str, ...]) -> Shape:
    for name in place:
        assert isinstance(type, t.Record)
        shape, type = shapes.field(shape, type, name), dict(type.fields)[name]
    return shape


def kinds_of(network: str, message: t.Type, shape: Shape) -> Iterator[Kind]:
    """The kinds of the messages of a shape."""
    assert isinstance(message, t.Record)
    envelope, body = dict(message.fields), shapes.field(shape, message, "body")
    bodies: list[tuple[int | None, t.Type, Shape]] = [(None, envelope["body"], body)]
    if isinstance(union := envelope["body"], t.Union):
        bodies = []
        for place, variant in enumerate(union.variants):
            parts = tuple(shapes.variant_field(body, union, variant.name, name) for name, _ in variant.fields)
            if shapes.is_variant(body, union, variant.name) != shapes.FALSE:
                bodies.append((place, variant, shapes.record(parts)))
    for number, type, inner in bodies:
        leaves: list[tuple[tuple[str, ...], t.Type, Shape]] = []
        leaves += [((n,), k, shapes.field(shape, message, n)) for n, k in message.fields if n != "body"]
        leaves += [(("body", *p), k, _at(inner, type, p)) for p, k in _places(type)]
        identities = [(p, k, x) for p, k, x in leaves if isinstance(k, t.Ids | t.Enum)]
        exact = len(identities) == len(leaves)
        options = [sorted(shapes.options(x) or values(k)) for _, k, x in identities]
        for chosen in product(*options):
            yield Kind(network, number, tuple((p, raw) for (p, _, _), raw in zip(identities, chosen)), exact)


def shape_of(kind: Kind, message: t.Type) -> Shape:
    """What is known of a message of a kind."""
    given = dict(kind.identities)

    def made(type: t.Type, place: tuple[str, ...]) -> Shape:
        if place in given:
            return Known(given[place])
        if isinstance(type, t.Record):
            return shapes.record(tuple(made(k, (*place, n)) for n, k in type.fields))
        if isinstance(type, t.Union) and place == ("body",) and kind.variant is not None:
            inner = type.variants[kind.variant]
            return shapes.case(kind.variant, tuple(made(k, (*place, n)) for n, k in inner.fields))
        return ANYTHING

    return made(message, ())

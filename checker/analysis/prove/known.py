"""What the base classes of a model make true of every reachable state, as candidates for `checker prove`: the budget of
crashes, that a crashed process has nothing left, the workload, and that no message is anywhere before it was multicast.

Nothing is taken for granted here: a model may change its variables as it likes, so each candidate is proved by
induction (`checker.backends.smt.known`) before a counterexample to induction has to satisfy it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from attrs import define, field

from checker.frontend.initial import start_raw
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.domain import size
from checker.language.definition import Definition
from checker.language.distributed import Distributed
from checker.language.model import anything
from checker.language.multicast import Multicast

MOST_KEYS = 100
"""Keys of a map that a candidate speaks of one by one; of larger maps nothing is claimed."""


@define
class Candidate:
    """A statement of the variable `subject`, if there is one, as a function of the state."""

    text: str
    subject: str
    claim: e.Expression
    locals: list[m.Parameter] = field(factory=list)

    def function(self, number: int) -> m.Function:
        """A function of the state; no method of a model has such a name."""
        body = (s.Return(0, self.claim),)
        return m.Function(f"known {number}", (), tuple(self.locals), build.BOOL, body)


def candidates(definition: Definition, model: m.Model) -> list[Candidate]:
    """What is to be proved of a model first."""
    found: list[Candidate] = []
    if issubclass(definition.model, Distributed):
        found += _of_crashes(definition, model)
    if issubclass(definition.model, Multicast):
        found += _of_the_workload(definition, model)
    return [c for c in found if c.claim != build.TRUE]


def with_known(definition: Definition, model: m.Model, system: Any) -> tuple[Any, list[str], list[str]]:
    """A system with functions for those candidates that are invariants, their names, and what they state."""
    from checker.backends.smt.known import invariant

    found = {f.name: (f, c) for n, c in enumerate(candidates(definition, model)) for f in [c.function(n)]}
    if not found:
        return system, [], []
    system = system.also((function for function, _ in found.values()), system.clock)
    names = list(invariant(system, list(found)))
    subjects: dict[str, list[str]] = {}
    for name in names:
        candidate = found[name][1]
        subjects.setdefault(candidate.text, []).append(candidate.subject)
    return system, names, [": ".join(filter(None, [text, ", ".join(of)])) for text, of in subjects.items()]


def _of_crashes(definition: Definition, model: m.Model) -> Iterator[Candidate]:
    variables = {v.name: e.Variable(v.type, v.name) for v in model.variables}
    crashed = variables.get("crashed")
    if crashed is None or not isinstance(crashed.type, t.Set) or not isinstance(crashed.type.item, t.Ids):
        return
    budget = int(definition.constants["crashes"])
    least = f"at most {budget} of the processes crash{'es' * (budget == 1)}" if budget else "no process crashes"
    number = e.Length(t.Int(0, len(crashed.type.item.members)), crashed)
    yield Candidate(least, "", build.compare("<=", number, build.integer(budget)))
    if not budget:
        return
    processes = [e.Const(crashed.type.item, i) for i in range(len(crashed.type.item.members))]
    for variable in definition.variables:
        place = variables.get(variable.name)
        if place is None or not isinstance(place.type, t.Map):
            continue
        if variable.local and variable.initial is not anything:
            starts = [build.constant(place.type.value, raw, _no_local) for raw in start_raw(variable)]
            empty = [build.compare("==", build.index(place, p), start) for p, start in zip(processes, starts)]
            yield Candidate(
                "as at the start for a crashed process", variable.name, _where_crashed(crashed, processes, empty)
            )


def _no_local(key: object, base: str) -> str:
    return base


def _where_crashed(crashed: e.Expression, processes: list[e.Const], claims: list[e.Expression]) -> e.Expression:
    return build.conjunction(
        build.disjunction([build.negate(build.contains(crashed, p)), claim]) for p, claim in zip(processes, claims)
    )


def _of_the_workload(definition: Definition, model: m.Model) -> Iterator[Candidate]:
    variables = {v.name: e.Variable(v.type, v.name) for v in model.variables}
    sent, workload = variables.get("sent"), definition.constants["workload"]
    message = definition.types["Message"].ir
    if sent is None or not isinstance(sent.type, t.Map) or not isinstance(message, t.Ids):
        return
    key = sent.type.key
    numbers = [build.index(sent, e.Const(key, p)) for p in range(len(workload))]
    within = build.conjunction(build.compare("<=", x, build.integer(n)) for x, n in zip(numbers, workload))
    yield Candidate("no process multicasts more than its workload", "", within)
    pairs = zip(definition.values["senders"], definition.values["numbers"])
    unsent = [build.compare("<=", numbers[sender], build.integer(number)) for sender, number in pairs]
    for name, variable in variables.items():
        candidate = Candidate("without messages that were not multicast", name, build.TRUE)
        search = Search(candidate)
        claims = []
        for ordinal, not_yet in enumerate(unsent):
            there = search.holding(variable, e.Const(message, ordinal))
            if there != build.FALSE:
                claims.append(build.disjunction([build.negate(not_yet), build.negate(there)]))
        candidate.claim = build.conjunction(claims)
        yield candidate


@define
class Search:
    """Looks for a member of an identity type in a place of the state, in the values of maps and not in their keys."""

    candidate: Candidate
    numbers: Iterator[int] = field(factory=itertools.count)

    def holding(self, place: e.Expression, member: e.Const) -> e.Expression:
        """Whether the member is somewhere in the place."""
        match place.type:
            case t.Ids() if place.type == member.type:
                return build.compare("==", place, member)
            case t.Optional(item):
                inside = self.holding(e.Unwrap(item, place), member)
                return inside if inside == build.FALSE else build.conjunction([build.is_some(place), inside])
            case t.Record():
                return build.disjunction(self.holding(part, member) for part in build.parts(place))
            case t.Union(_, variants):
                return build.disjunction(self._variant(place, v, member) for v in variants)
            case t.Map(t.Ids() | t.Enum() | t.Int() | t.Bool() as key, _) if (size(key) or 0) <= MOST_KEYS:
                first = key.lo if isinstance(key, t.Int) else 0
                keys = (e.Const(key, first + i) for i in range(size(key) or 0))
                return build.disjunction(self.holding(build.index(place, k), member) for k in keys)
            case t.Set(item) if item == member.type:
                return build.contains(place, member)
            case t.Set(item) | t.Seq(item) | t.Bag(item):
                return self._some_item(place, item, member)
        return build.FALSE

    def _variant(self, place: e.Expression, variant: t.Record, member: e.Const) -> e.Expression:
        fields = [e.VariantField(type, place, variant.name, name) for name, type in variant.fields]
        inside = build.disjunction(self.holding(x, member) for x in fields)
        if inside == build.FALSE:
            return inside
        return build.conjunction([e.IsVariant(build.BOOL, place, variant.name), inside])

    def _some_item(self, place: e.Expression, item: t.Type, member: e.Const) -> e.Expression:
        local = e.Local(item, f"item{next(self.numbers)}")
        inside = self.holding(local, member)
        if inside == build.FALSE:
            return inside
        self.candidate.locals.append(m.Parameter(local.name, item))
        return e.Quantifier(build.BOOL, "any", (e.Generator(local, place),), inside)

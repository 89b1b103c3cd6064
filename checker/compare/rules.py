"""Rules of two models compared over all states of their types, and whether a state that tells them apart is reached.

Compared are the rules and helpers that both models have, with the same parameters, and that differ in text, in a value or type that they read, or call something that does.  z3 decides whether they are
equivalent over every type-correct state and every argument, reachable or not.  Where they are not, the base is explored for a state in which they differ.

Where it stops: a rule that is only asked inside a step may differ there and never between steps, where the search looks; a network is compared with at most
four messages in flight.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from checker.commands.json_output import plain_data, trace_data
from checker.commands.predicate import in_the_words_of, resolved, with_predicate
from checker.compare.sources import Difference
from checker.compare.typed import plain_typed
from checker.engines.plain import plain_raw
from checker.frontend.lower import lower
from checker.ir import model as m
from checker.ir import types as t
from checker.ir.references import called, read, without_lines
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.domains import Domain
from checker.language.model import invariant
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap, Multiset, Rec, show
from checker.wording import counted

NETWORK = 4  # messages in flight in the states compared
ASSUMED = "assumed"
MEANING = {
    "equivalent": "the same in every state",
    "weaker": "weaker: holds wherever it held before, and in other states too",
    "stronger": "stronger: holds only where it held before, and not everywhere there",
    "incomparable": "neither weaker nor stronger",
    "different": "different",
    "undecided": "not decided in the time given",
    "skipped": "not compared",
}


@frozen
class RuleExample:
    """A state (what the rules read) with arguments, in plain values; before, after: the rules' values, None where they fail."""

    state: FrozenMap
    arguments: FrozenMap
    before: Any
    after: Any
    fails: tuple[bool, bool]


@frozen
class RuleComparison:
    """A rule under both models.  relation: a key of MEANING; `reached` a run of the base to a state in which they differ, if looked for and found."""

    name: str
    relation: str
    examples: tuple[RuleExample, ...] = ()
    failures: tuple[RuleExample, ...] = ()
    note: str = ""
    reached: Trace | None = None


def compare_rules(
    base: Definition, edit: Definition, sources: Iterable[Difference], timeout: float, assuming: str | None = None, only: Iterable[str] | None = None,
    smallest: bool = False,
) -> tuple[RuleComparison, ...]:  # fmt: skip
    """Compare all rules whose meaning may differ (of those named), in all states that satisfy a predicate of the base; none without z3."""
    if importlib.util.find_spec("z3") is None:
        return ()
    models = [lower(d, {v.name: NETWORK for v in d.variables if v.network is not None}, any_state=True) for d in (base, edit)]
    changed = {d.name for d in sources}
    assumed = None if assuming is None else _assumed(base, assuming)
    wanted = None if only is None else set(only)
    names = [n for n in _candidates(edit, models[0], models[1], changed) if wanted is None or n in wanted]
    return tuple(_compared(name, (base, edit), (models[0], models[1]), timeout, assumed, smallest) for name in names)


def _assumed(base: Definition, predicate: str) -> m.Model:
    """The base lowered with the predicate as its one property."""
    cls = with_predicate(base.model, ASSUMED, resolved(base.model, predicate, base.constants), invariant)
    with in_the_words_of(base.model, predicate, base.constants):
        definition = define(cls, base.constants, [ASSUMED])
        return lower(definition, {v.name: NETWORK for v in definition.variables if v.network is not None}, any_state=True)


def _candidates(edit: Definition, before: m.Model, after: m.Model, changed: set[str]) -> Iterator[str]:
    names = {f.name for f in before.functions}
    for function in after.functions:
        if function.name in names and function.name in edit.methods:
            involved = {*called(after, function), *called(before, before.function(function.name))}
            if {n.split("#")[0] for n in involved} & changed or not _same(before, after, function.name):
                yield function.name


def _same(before: m.Model, after: m.Model, name: str) -> bool:
    """Whether a rule and all that it calls come to the same when constants, derived values, types and attributes of the classes are put in."""
    calls = called(before, before.function(name))
    return calls == called(after, after.function(name)) and all(without_lines(before.function(n)) == without_lines(after.function(n)) for n in calls)


def _compared(
    name: str, definitions: tuple[Definition, Definition], models: tuple[m.Model, m.Model], timeout: float, assumed: m.Model | None, smallest: bool
) -> RuleComparison:
    from checker.backends.smt.clock import TimeUp
    from checker.backends.smt.distinguish import Subject, distinguish
    from checker.backends.smt.environment import Unsupported

    before, after = models
    f, g = before.function(name), after.function(name)
    if [(p.name, p.type) for p in f.parameters] != [(p.name, p.type) for p in g.parameters]:
        return RuleComparison(name, "skipped", note="its parameters differ")
    variables = dict.fromkeys((*read(before, f), *read(after, g)))
    types = [{v.name: v.type for v in model.variables} for model in (before, after)]
    unlike = [v for v in variables if v in types[0] and v in types[1] and types[0][v] != types[1][v]]
    if unlike:
        return RuleComparison(name, "skipped", note=f"{unlike[0]}, which it reads, has another type")
    assumption = None if assumed is None else Subject(assumed, assumed.function(assumed.properties[0].function))
    if assumption is not None:
        variables |= dict.fromkeys(read(assumption.model, assumption.function))
    try:
        found = distinguish(Subject(before, f), Subject(after, g), tuple(variables), timeout, assumption, smallest)
    except TimeUp:
        return RuleComparison(name, "undecided")
    except Unsupported as reason:
        return RuleComparison(name, "skipped", note=str(reason))
    domains = _Domains(*definitions, f)
    return RuleComparison(
        name, found.relation, tuple(domains.example(x) for x in found.examples), tuple(domains.example(x) for x in found.failures)
    )


class _Domains:
    """The domains that raw values of a rule belong to."""

    def __init__(self, base: Definition, edit: Definition, function: m.Function) -> None:
        self.variables = {v.name: v.domain for d in (base, edit) for v in d.variables}
        method = edit.methods[function.name]
        types = {p.name: p.type for p in function.parameters}
        self.parameters = {name: domain or types.get(name) for name, domain in method.parameters}
        self.result = method.result or function.result

    def example(self, found: Any) -> RuleExample:
        """An example in plain values."""
        state = FrozenMap({n: plain_raw(self.variables[n], raw) for n, raw in found.state.items()})
        arguments = FrozenMap({n: _plain(self.parameters.get(n), raw) for n, raw in found.arguments.items()})
        return RuleExample(state, arguments, _plain(self.result, found.before), _plain(self.result, found.after), found.fails)


def _plain(kind: Domain | t.Type | None, raw: Any) -> Any:
    """A raw value as a plain one; the type alone, where nothing is annotated, names the members of enumerations."""
    if raw is None or kind is None:
        return raw
    return plain_typed(kind, raw) if isinstance(kind, t.Type) else plain_raw(kind, raw)


# Reachability


def watching(base: m.Model, edit: m.Model, names: Iterable[str]) -> m.Model:
    """The base with one more property for each rule: in no state does it differ from the edit's, for any arguments."""
    from checker.ir.references import with_calls_renamed

    def rename(name: str) -> str:
        return f"{name} (edited)"

    moved = tuple(evolve(f, name=rename(f.name), body=with_calls_renamed(f.body, rename)) for f in edit.functions if f.name not in {name for p in edit.properties for name in (p.function, p.when)})
    functions = [_alike(base.function(name), rename(name)) for name in names]
    properties = tuple(m.Property(f.name, "invariant", f.name) for f in functions)
    return evolve(base, functions=(*base.functions, *moved, *functions), properties=properties)


def _alike(function: m.Function, other: str) -> m.Function:
    """`all(f(x) == g(x) for x in ...)` as a function of the state."""
    from checker.ir import expressions as e
    from checker.ir import statements as s

    locals = [e.Local(p.type, f"{p.name}") for p in function.parameters]
    generators = tuple(e.Generator(x, e.Domain(t.Set(x.type))) for x in locals)
    calls = [e.Call(function.result, name, tuple(locals)) for name in (function.name, other)]
    same: e.Expression = e.Compare(t.Bool(), "==", calls[0], calls[1])
    body = e.Quantifier(t.Bool(), "all", generators, same) if generators else same
    return m.Function(difference_name(function.name), (), (), t.Bool(), (s.Return(0, body),))


def difference_name(rule: str) -> str:
    """What a run to a state in which a rule differs is called."""
    return f"a state in which {rule} differs"


# Printing


def rule_lines(rules: Iterable[RuleComparison]) -> Iterator[tuple[str, str]]:
    """Lines (text, style) of a report."""
    rules = list(rules)
    width = max((len(r.name) for r in rules), default=0)
    for rule in rules:
        note = f" ({rule.note})" if rule.note else ""
        yield f"{rule.name:<{width}}  {MEANING[rule.relation]}{note}", "dim" if rule.relation == "equivalent" else "bold"
        for example in (*rule.examples, *rule.failures):
            yield f"    {_values(rule.name, example)}", ""
            for text in state_lines(example.state):
                yield f"        {text}", ""
        if rule.reached is not None:
            yield f"    reached in {counted(len(rule.reached.steps), 'step')}", ""


def _values(name: str, example: RuleExample) -> str:
    call = f"{name}({', '.join(show(v) for v in example.arguments.values())})"
    before, after = ("fails" if f else show(v) if not isinstance(v, int) or isinstance(v, bool) else str(v) for f, v in zip(example.fails, (example.before, example.after)))
    return f"{call}: {before} → {after} where"


def state_lines(state: Mapping[str, Any]) -> Iterator[str]:
    """What is not empty, 0, false or none in a state, one line each: held[p2][m1.1]: Held(Stamp(0, p1), false)."""
    shown = [f"{path}: {show(value)}" for name, value in state.items() for path, value in _leaves(name, value) if not _blank(value)]
    yield from shown or ["everything is empty, 0, false or none"]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, FrozenMap):
        for key, item in value.items():
            yield from _leaves(f"{path}[{show(key)}]", item)
    else:
        yield path, value


def _blank(value: Any) -> bool:
    if isinstance(value, FrozenMap):
        return all(_blank(v) for v in value.values())
    if isinstance(value, Rec):
        return False
    return len(value) == 0 if isinstance(value, Multiset) else not value


def rule_data(rule: RuleComparison) -> dict[str, Any]:
    """A comparison as JSON data."""

    def data(x: RuleExample) -> dict[str, Any]:
        state, arguments = ({n: plain_data(v) for n, v in part.items()} for part in (x.state, x.arguments))
        return {"state": state, "arguments": arguments, "before": plain_data(x.before), "after": plain_data(x.after), "fails": list(x.fails)}

    return {
        "name": rule.name, "relation": rule.relation, "note": rule.note, "examples": [data(x) for x in rule.examples],
        "failures": [data(x) for x in rule.failures], "reached_in": None if rule.reached is None else len(rule.reached.steps),
        "trace": None if rule.reached is None else trace_data(rule.reached),
    }  # fmt: skip

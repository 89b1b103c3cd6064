"""Rules of two models compared over all states of their types, and whether a state that distinguishes them is
reachable.

The comparison covers the rules and helpers that both models have with the same parameters, and that differ in text, in
a value or type that they read, or in a method that they call.  z3 decides whether they are equivalent over every
type-correct state, reachable or not, and every argument that either model passes (checker.analysis.compare.asked).
Where they are not, the base is explored for a state in which they differ.

Where it stops: a rule that is called only inside a step may differ there and never between steps, where the search
looks; a network is compared with at most four messages in flight.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve, frozen

from checker.analysis.compare.alike import Alike
from checker.analysis.compare.asked import Types, asked_of_both, instance, root, shared_rules
from checker.analysis.compare.sources import type_text
from checker.analysis.predicate import in_the_words_of, resolved, with_predicate
from checker.analysis.vacuity.uncalled import names
from checker.frontend.lower import Requested, lower
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.common import can_grow
from checker.ir.facts import call_closure, variables_read
from checker.ir.visit import with_calls_renamed
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.domains import Domain
from checker.language.model import invariant
from checker.replay.plain import plain_raw, plain_typed
from checker.results.comparison import Difference
from checker.results.rules import RuleComparison, RuleExample
from checker.trace.values import FrozenMap
from checker.validation.rules import confirmed

NETWORK = 4  # messages in flight in the states compared
ASSUMED = "assumed"
IN_COMMON = "compared in the states that both have"


@frozen
class LoweredRules:
    """Two models lowered with every rule that is compared.  asked: these rules, with the types of their arguments."""

    models: tuple[m.Model, m.Model]
    asked: tuple[Requested, ...]


def lowered_rules(base: Definition, edit: Definition) -> LoweredRules:
    """Both models with every common rule, for all arguments that either of them passes."""
    called = _lowered(base), _lowered(edit)
    asked = asked_of_both((base, edit), called)
    return LoweredRules((_with_asked(base, called[0], asked), _with_asked(edit, called[1], asked)), asked)


def compare_rules(
    base: Definition,
    edit: Definition,
    sources: Iterable[Difference],
    timeout: float,
    assuming: str | None = None,
    only: Iterable[str] | None = None,
    smallest: bool = False,
    lowered: LoweredRules | None = None,
) -> tuple[RuleComparison, ...]:
    """Compare all rules whose meaning may differ (or the named ones of them), in all states that satisfy a predicate of
    the base; empty without z3.  lowered: the two models, if the caller has them.
    """
    if importlib.util.find_spec("z3") is None:
        return ()
    lowered = lowered or lowered_rules(base, edit)
    models, asked = lowered.models, lowered.asked
    changed = {d.name for d in sources}
    assumed = None if assuming is None else _assumed(base, assuming)
    wanted = None if only is None else set(only)
    pair, found = _Pair((base, edit), models, timeout, assumed, smallest), []
    for name in shared_rules((base, edit)):
        types = tuple(given for rule, given in asked if rule == name)
        if wanted is not None and name not in wanted:
            continue
        if any(_may_differ(name, given, models, changed) for given in types) if types else name in changed:
            found.append(pair.compared(name, types))
    return tuple(found)


def _lowered(definition: Definition, asked: Iterable[Requested] = ()) -> m.Model:
    capacities = {v.name: NETWORK for v in definition.variables if v.network is not None}
    return lower(definition, capacities, any_state=True, requested=asked)


def _with_asked(definition: Definition, model: m.Model, asked: Iterable[Requested]) -> m.Model:
    """The model with these functions; the model itself if it calls all of them."""
    if all(instance(model, name, types) is not None for name, types in asked):
        return model
    return _lowered(definition, asked)


def _assumed(base: Definition, predicate: str) -> m.Model:
    """The base lowered with the predicate as its one property."""
    cls = with_predicate(base.model, ASSUMED, resolved(base.model, predicate, base.constants), invariant)
    with in_the_words_of(base.model, predicate, base.constants):
        return _lowered(define(cls, base.constants, [ASSUMED]))


def _may_differ(name: str, types: Types, models: tuple[m.Model, m.Model], changed: set[str]) -> bool:
    """Whether a rule, or a method that it calls, differs in text, or after constants, derived values, types and
    attributes are substituted.
    """
    functions = [instance(model, name, types) for model in models]
    called = [() if f is None else call_closure(model, f) for model, f in zip(models, functions)]
    involved = {root(name) for names in called for name in names}
    f, g = functions
    return f is None or g is None or bool(involved & changed) or not Alike(models).functions(f.name, g.name)


@frozen
class _Pair:
    """Two models, and how their rules are compared.  assumed: see `_assumed`; smallest: look for small examples."""

    definitions: tuple[Definition, Definition]
    models: tuple[m.Model, m.Model]
    timeout: float
    assumed: m.Model | None
    smallest: bool

    def compared(self, name: str, types: tuple[Types, ...]) -> RuleComparison:
        """The comparison of a rule for all arguments that either model passes."""
        parameters = [[n for n, _ in d.methods[name].parameters] for d in self.definitions]
        if parameters[0] != parameters[1]:
            return RuleComparison(name, "skipped", note="its parameters differ")
        if not types:
            return RuleComparison(name, "skipped", note="nothing calls it, and not all its parameters have types")
        return _together([self._for(name, given) for given in types], types)

    def _for(self, name: str, types: Types) -> RuleComparison:
        """A rule for arguments of these types."""
        from checker.backends.smt.clock import TimeUp
        from checker.backends.smt.distinguish import Subject, distinguish
        from checker.backends.smt.environment import Unsupported

        before, after = self.models
        f, g = instance(before, name, types), instance(after, name, types)
        if f is None or g is None:
            named = zip(self.definitions[1].methods[name].parameters, types)
            given = ", ".join(f"{n}: {type_text(kind)}" for (n, _), kind in named)
            return RuleComparison(name, "skipped", note=f"one of the two cannot be asked with {given}")
        variables = dict.fromkeys((*variables_read(before, f), *variables_read(after, g)))
        assumption = None
        if self.assumed is not None:
            assumption = Subject(self.assumed, self.assumed.function(self.assumed.properties[0].function))
            variables |= dict.fromkeys(variables_read(assumption.model, assumption.function))
        held = [{v.name: v.type for v in model.variables} for model in self.models]
        unlike = [v for v in variables if v in held[0] and v in held[1] and held[0][v] != held[1][v]]
        one, other = Subject(before, f), Subject(after, g)
        try:
            found = distinguish(one, other, tuple(variables), self.timeout, assumption, self.smallest)
        except TimeUp:
            return RuleComparison(name, "undecided")
        except Unsupported as reason:
            return RuleComparison(name, "skipped", note=str(reason))
        domains = _Domains(self.definitions, (f, g))
        examples, failures = (tuple(map(domains.example, some)) for some in (found.examples, found.failures))
        verb = "has" if len(unlike) == 1 else "have"
        note = f"{IN_COMMON}: {', '.join(unlike)} {verb} another type" if unlike else ""
        agreeing = sum(confirmed(*side, name) for side in zip(self.definitions, self.models, (f, g)))
        cut = found.partial or bool(unlike) or assumption is not None
        networks = any(reads_network(d, name) for d in self.definitions) or any(map(_grows, types))
        every = not cut and not networks
        return RuleComparison(name, found.relation, examples, failures, note, confirmed=agreeing, everywhere=every)


def reads_network(definition: Definition, name: str) -> bool:
    """Whether a rule or helper, or one that it calls, names a network.

    The lowered rule does not tell: with at most NETWORK messages a condition on their number may be a constant.
    """
    networks = {v.name for v in definition.variables if v.network is not None}
    pending, seen = [name], {name}
    while networks and pending:
        called = pending.pop()
        versions = (vars(cls).get(called) for cls in definition.model.__mro__)
        used = {n for f in versions if inspect.isfunction(f) for n in names(f.__code__)}
        if used & networks:
            return True
        pending += used - seen
        seen |= used
    return False


def _grows(type: t.Type) -> bool:
    return any(map(can_grow, t.walk(type)))


def _together(parts: list[RuleComparison], types: tuple[Types, ...]) -> RuleComparison:
    """The conjunction of the results for all parts of the arguments."""
    for relation in ("skipped", "undecided"):
        if (part := next((p for p in parts if p.relation == relation), None)) is not None:
            return part
    relations = {p.relation for p in parts} - {"equivalent"}
    relation = "different" if "different" in relations else "incomparable"
    if len(relations) <= 1:
        relation = next(iter(relations), "equivalent")
    shown = (x for p in reversed(parts) for x in reversed(p.examples))
    examples = {(str(x.before), str(x.after)) if relation != "different" else (): x for x in shown}
    failures = {x.fails: x for p in reversed(parts) for x in reversed(p.failures)}
    notes = dict.fromkeys(p.note for p in parts if p.note)
    first = tuple(reversed(examples.values())), tuple(reversed(failures.values()))
    agreeing = sum(p.confirmed for p in parts)
    every = all(p.everywhere for p in parts)
    note = "; ".join(notes)
    return RuleComparison(parts[0].name, relation, *first, note, asked=types, confirmed=agreeing, everywhere=every)


class _Domains:
    """The domains of the raw values of a rule."""

    def __init__(self, definitions: tuple[Definition, Definition], functions: tuple[m.Function, m.Function]) -> None:
        self.variables = {v.name: v.domain for d in definitions for v in d.variables}
        methods = [d.methods[root(f.name)] for d, f in zip(definitions, functions)]
        domains = dict(methods[1].parameters)
        self.parameters = {p.name: _fitting(domains.get(p.name), p.type) for p in functions[1].parameters}
        self.results = [_fitting(method.result, f.result) for method, f in zip(methods, functions)]

    def example(self, found: Any) -> RuleExample:
        """An example in plain values."""
        state = FrozenMap({n: plain_raw(self.variables[n], raw) for n, raw in found.state.items()})
        arguments = FrozenMap({n: _plain(self.parameters[n], raw) for n, raw in found.arguments.items()})
        before, after = (_plain(kind, raw) for kind, raw in zip(self.results, (found.before, found.after)))
        return RuleExample(state, arguments, before, after, found.fails)


def _fitting(domain: Domain | None, kind: t.Type) -> Domain | t.Type:
    """The annotated domain, if its values are those of the type: an argument or a result may have another type than the
    annotation.
    """
    return domain if domain is not None and domain.ir == kind else kind


def _plain(kind: Domain | t.Type, raw: Any) -> Any:
    """A raw value as a plain one; without an annotation, the type names the members of enumerations."""
    if raw is None:
        return raw
    return plain_typed(kind, raw) if isinstance(kind, t.Type) else plain_raw(kind, raw)


# Reachability


def watching(base: m.Model, edit: m.Model, rules: Mapping[str, Iterable[Types]]) -> m.Model:
    """The base with one more property for each rule: the rule differs from the edit's in no state, for all arguments of
    these types.
    """

    def rename(name: str) -> str:
        return f"{name} (edited)"

    pairs = {
        name: [(_instance_of(base, name, types), _instance_of(edit, name, types)) for types in given]
        for name, given in rules.items()
    }
    needed = dict.fromkeys(n for of in pairs.values() for _, g in of for n in call_closure(edit, g))
    moved = tuple(
        evolve(edit.function(n), name=rename(n), body=with_calls_renamed(edit.function(n).body, rename)) for n in needed
    )
    functions = [_alike(name, [(f, evolve(g, name=rename(g.name))) for f, g in of]) for name, of in pairs.items()]
    properties = tuple(m.Property(f.name, "invariant", f.name) for f in functions)
    return evolve(base, functions=(*base.functions, *moved, *functions), properties=properties)


def _instance_of(model: m.Model, name: str, types: Types) -> m.Function:
    function = instance(model, name, types)
    assert function is not None
    return function


def _alike(name: str, pairs: Iterable[tuple[m.Function, m.Function]]) -> m.Function:
    """`all(f(x) == g(x) for x in ...)` for each pair, as a function of the state."""
    body: list[s.Statement] = []
    for function, other in pairs:
        locals = [e.Local(p.type, f"{p.name}") for p in function.parameters]
        generators = tuple(e.Generator(x, e.Domain(t.Set(x.type))) for x in locals)
        calls = (e.Call(called.result, called.name, tuple(locals)) for called in (function, other))
        same = build.compare("==", *calls)
        everywhere = e.Quantifier(build.BOOL, "all", generators, same) if generators else same
        body.append(s.If(0, build.negate(everywhere), (s.Return(0, build.FALSE),)))
    return m.Function(difference_name(name), (), (), build.BOOL, (*body, s.Return(0, build.TRUE)))


def difference_name(rule: str) -> str:
    """The name of a run to a state in which a rule differs."""
    return f"a state in which {rule} differs"

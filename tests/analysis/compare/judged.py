"""Everything that a comparison of two small models claims, judged by brute force: a sentence for each claim that is
wrong."""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product
from pathlib import Path
from random import Random
from types import FunctionType
from typing import Any

from attrs import define, field

from checker.analysis.compare.events import alphabet, word_of
from checker.analysis.compare.properties import CHANGED, FORMER
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.frontend.lower import lower
from checker.ir import types as t
from checker.ir.common import common
from checker.ir.values import values
from checker.language.declared import declarations
from checker.language.define import define as define_model
from checker.language.definition import Definition, MethodDefinition
from checker.language.domains import IdsDomain
from checker.language.errors import UsageError
from checker.language.model import Model, mark_of
from checker.replay.plain import plain
from checker.results.comparison import END, Comparison, PropertyChange, Separation
from checker.results.rules import RuleComparison, RuleExample
from checker.results.verdict import REFUTED
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace
from checker.trace.values import FrozenMap
from tests.analysis.compare.brute_force import (
    FAILS,
    Graph,
    first_not_allowed,
    first_step_calls,
    first_steps_alone,
    first_word_alone,
    random_raw,
    raw_of,
    rule_value,
)

SAMPLES = 60  # states of the types in which rules are evaluated, besides the reachable ones
Faults = Iterator[str]


@define(eq=False)
class Judge:
    """Two models under the constants of a comparison, explored with and without their properties."""

    c: Comparison
    classes: tuple[type[Model], type[Model]]
    most: int
    watched: tuple[Graph, Graph] = field(init=False)
    changed: Graph = field(init=False)  # the base with the edit's definitions, too
    bare: tuple[Graph, Graph] = field(init=False)

    def __attrs_post_init__(self) -> None:
        c = self.c
        sides = tuple(zip(self.classes, (c.base.constants, c.edit.constants)))
        listing = tuple(_listing(n, self.classes, given) for n, (_, given) in enumerate(sides))
        self.changed = Graph(
            define_model(_listing(0, self.classes, c.base.constants, CHANGED), c.base.constants), self.most
        )
        self.watched = tuple(Graph(define_model(cls, given), self.most) for cls, (_, given) in zip(listing, sides))  # type: ignore[assignment]
        self.bare = tuple(Graph(define_model(cls, given, []), self.most) for cls, given in sides)  # type: ignore[assignment]

    def faults(self) -> Faults:
        """Every claim that is wrong."""
        yield from self._counts()
        yield from self._disabled()
        yield from self._properties()
        yield from self._outcomes()
        yield from self._costs()
        yield from self._steps()
        yield from self._behaviours()
        yield from self._rules()
        yield from self._sources()

    # Counts and verdicts

    def _counts(self) -> Faults:
        for report, graph in zip((self.c.base, self.c.edit), self.watched):
            found = (report.distinct, report.transitions, report.initial, report.quiescent, report.depth)
            level = graph.level
            true = (
                len(level),
                graph.transitions,
                len(graph.initial),
                sum(map(graph.quiescent, level)),
                max(level.values(), default=-1) + 1,
            )
            if found != true:
                yield f"counts of {report.reference}: {found}, by brute force {true}"

    def _disabled(self) -> Faults:
        faults = {a.name for a in self.c.base.actions if a.fault}
        before, now = ({step.action.name for steps in g.steps.values() for step in steps} for g in self.watched)
        known = {a.name for a in self.c.edit.actions}
        true = (before - now - faults) & known if self.watched[1].level else set()
        if set(self.c.disabled) != true:
            yield f"disabled: {self.c.disabled}, by brute force {sorted(true)}"
        if self.c.dead != (bool(true) and not now - faults):
            yield f"dead: {self.c.dead}, though the edit has {sorted(now)}"

    def _properties(self) -> Faults:
        formers = {f"{FORMER}{name}" for name in twofold(self.classes)}
        sides = [{p.name: p.kind for p in g.definition.properties} for g in self.watched]
        failures = [{statement(n, g) for k, n in g.findings if k in ("error", "assert")} for g in self.watched]
        named = {
            statement(p.name, self.watched[0]) if p.kind in ("error", "assert") else p.name for p in self.c.properties
        }
        if missing := {*sides[0], *sides[1], *failures[0], *failures[1]} ^ named:
            yield f"properties {sorted(missing)} are told of or not, and should not or should"
        for p in self.c.properties:
            own = p.name.removeprefix(FORMER) if p.name in formers else p.name
            true = tuple(_verdict(p, n, g, kinds) for n, g, kinds in zip((own, p.name), self.watched, sides))
            if p.former != (p.name in formers):
                yield f"{p.name} is former or not, and should not or should be"
            yield from self._redefined(p)
            if (p.before, p.after) != true:
                yield f"{p.name}: {p.before} → {p.after}, by brute force {true[0]} → {true[1]}"
            broken, repaired = (
                true[1] in REFUTED and true[0] not in REFUTED,
                true[0] in REFUTED and true[1] not in (*REFUTED, "not listed"),
            )
            if (p.change == "broken", p.change == "repaired") != (broken, repaired):
                yield f"{p.name}: {p.change}, though {true[0]} → {true[1]}"
            if p.change in ("broken", "repaired") and p.trace is not None:
                yield from self._violation(p, p.trace, p.change == "broken")
        code = (
            1
            if any(p.after in REFUTED and p.before not in REFUTED for p in self.c.properties)
            else 0
            if self.c.common and all(g.level for g in self.watched) or not self.c.properties
            else 4
        )
        if all(g.level for g in self.watched) and self.c.exit_code != code:
            yield f"exit code {self.c.exit_code}, not {code}"

    def _redefined(self, p: PropertyChange) -> Faults:
        """Of a property with two definitions: the verdict on each model of the definition of the other."""
        if (p.redefined is not None) != (p.name in twofold(self.classes)):
            yield f"{p.name} has two definitions or not, and should not or should"
        if p.redefined is None:
            return
        said = (p.redefined.of_base, p.redefined.of_edit)
        names = (f"{CHANGED}{p.name}", f"{FORMER}{p.name}")
        graphs = (self.changed, self.watched[1])
        kinds = [{q.name: q.kind for q in g.definition.properties} for g in graphs]
        true = tuple(_verdict(p, n, g, k) for n, g, k in zip(names, graphs, kinds))
        if said != true:
            yield f"{p.name}: {said} of the other definitions, by brute force {true}"

    def _violation(self, p: PropertyChange, trace: Trace, new: bool) -> Faults:
        graph = self.watched[new]
        failure = p.kind in ("error", "assert")  # of which the line is told in another way
        same = (
            steps
            for (kind, name), steps in graph.findings.items()
            if kind == p.kind and (statement(name, graph) == statement(p.name, graph) if failure else name == p.name)
        )
        fewest = min(same, default=None)
        if p.kind != "reachable" and len(trace.steps) != fewest:
            yield (f"{p.name}: a run of {len(trace.steps)} steps, by brute force {fewest} suffice")
        yield from (f"{p.name}: {fault}" for fault in replayed(graph, trace))
        if new:
            yield from self._cause(trace, 0)
        else:
            yield from self._leaving(trace, p.note, 1)

    def _cause(self, trace: Trace, base: int) -> Faults:
        """The step marked in a run of the edit is the first that the base does not allow."""
        marked = next((s.number for s in trace.steps if s.cause), None)
        note = next((s.note for s in trace.steps if s.cause), trace.steps[-1].note if trace.steps else "")
        true = self._parting(trace, base)
        if (marked or 0) != (true or 0):
            yield f"the cause in {trace.property} is step {marked}, by brute force {true}: {note}"
        elif true and (wrong := self._instead(trace, note, base, true)):
            yield wrong

    def _leaving(self, trace: Trace, note: str, side: int) -> Faults:
        true = self._parting(trace, side)
        said = (
            int(note.split("leaves this run at step ")[1].split(":")[0]) if "leaves this run at step " in note else None
        )
        if (said or 0) != (true or 0):
            yield f"the edit leaves {trace.property} at step {said}, by brute force {true}: {note}"
        elif true and (wrong := self._instead(trace, note, side, true)):
            yield wrong

    def _parting(self, trace: Trace, side: int) -> int | None:
        """Where a run of one side is left by the other; a failing step is allowed where the other fails in it too."""
        other = self._follower(trace, side)
        number = first_not_allowed(trace.states, other, len(trace.steps) - failing(trace))
        if number is None and failing(trace):
            calls = first_step_calls(trace.states, other, trace.steps[-1])
            return None if any(s.failure is not None for s in calls) else len(trace.steps)
        return number

    def _follower(self, trace: Trace, side: int) -> Interpreter:
        cls, given = self.classes[side], (self.c.base, self.c.edit)[side].constants
        try:
            return Interpreter(define_model(cls, given, [trace.property]))
        except UsageError:
            return Interpreter(define_model(cls, given, []))

    def _instead(self, trace: Trace, note: str, side: int, number: int) -> str:
        """What is said of the other side's doing instead, if it is wrong."""
        step = trace.steps[number - 1]
        if failing(trace) and number == len(trace.steps):
            return ""
        other = self._follower(trace, side)
        calls = first_step_calls(trace.states, other, step, number)
        if "not enabled" in note and calls:
            return f"step {number} of {trace.property}: {note}, but it is enabled"
        if "after this step" in note and all(s.after is None for s in calls):
            return f"step {number} of {trace.property}: {note}, but there is no such step"
        return ""

    # Outcomes

    def _outcomes(self) -> Faults:
        c = self.c
        names = [n for n in self.classes[0].outcome if n in self.classes[1].outcome]
        if not names or c.outcomes is None:
            if names:
                yield "outcomes are not compared"
            return
        before, after = (g.outcomes(names) for g in self.watched)
        if (c.outcomes.before, c.outcomes.after) != (len(before), len(after)):
            yield f"outcomes {c.outcomes.before} → {c.outcomes.after}, by brute force {len(before)} → {len(after)}"
        for side, (runs, mine, other) in enumerate(
            ((c.outcomes.removed, before, after), (c.outcomes.added, after, before))
        ):
            alone = {o: level for o, level in mine.items() if o not in other}
            kinds = len({min(map(repr, renamings(o, self.watched[side].definition)), default="") for o in alone})
            if len(runs) != kinds:
                yield f"{len(runs)} kinds of outcome of side {side} alone, by brute force {kinds}"
            if sum(r.count for r in runs) != len(alone):
                yield f"{sum(r.count for r in runs)} outcomes of side {side} alone, by brute force {len(alone)}"
            for run in runs:
                if alone.get(run.example) != run.steps:
                    yield (f"outcome {run.example} in {run.steps} steps, by brute force {alone.get(run.example)}")
                if run.trace is not None:
                    yield from replayed(self.watched[side], run.trace)
                    if (
                        len(run.trace.steps) != run.steps
                        or FrozenMap({n: run.trace.states[-1][n] for n in names}) != run.example
                    ):
                        yield f"the run to outcome {run.example} ends elsewhere"
                    if side == 0:
                        yield from self._leaving(run.trace, run.note, 1)

    def _costs(self) -> Faults:
        for cost, graph in zip(self.c.costs or (), self.watched):
            levels = Counter(graph.outcomes(list(graph.definition.model.outcome)).values())
            if cost.outcomes <= 64 and cost.steps is not None and dict(cost.steps.counts) != dict(levels):
                yield f"steps to an outcome {cost.steps.counts}, by brute force {sorted(levels.items())}"
            if (cost.states, cost.outcomes) != (len(graph.level), sum(levels.values())):
                yield (
                    f"{cost.states} states and {cost.outcomes} outcomes, by brute force {len(graph.level)} and "
                    f"{sum(levels.values())}"
                )

    # Steps

    def _steps(self) -> Faults:
        steps, graphs = self.c.steps, self.bare
        alike = [[(v.name, v.domain.ir) for v in g.definition.variables] for g in graphs]
        if (steps is None) != (alike[0] != alike[1]):
            yield "steps are compared, or not, and should not be, or should"
        if steps is None:
            return
        found = (first_steps_alone(graphs[1], graphs[0]), first_steps_alone(graphs[0], graphs[1]))
        if steps.complete and steps.states != found[0][0]:
            yield f"{steps.states} common states, by brute force {found[0][0]}"
        for trace, (_, least, pairs), side, elsewhere in zip(
            (steps.added, steps.removed), found, (1, 0), steps.elsewhere
        ):
            if (None if trace is None else len(trace.steps)) != least:
                yield f"a step of side {side} alone after {trace and len(trace.steps)} steps, by brute force {least}"
                continue
            if trace is None:
                continue
            yield from replayed(graphs[side], trace)
            ends = {(before and graphs[side].plain(before), graphs[side].plain(after)) for before, after in pairs}
            last = (FrozenMap(trace.states[-2]) if trace.steps else None, FrozenMap(trace.states[-1]))
            if last not in ends:
                yield f"the step {trace.steps and trace.steps[-1].action} is none of side {side} alone"
            if trace.steps:
                other = graphs[1 - side]
                at = next(s for s in other.level if other.plain(s) == last[0])
                calls = [s for s in other.steps[at] if _same_call(s, trace.steps[-1]) and s.after is not None]
                cut = any(other.plain(s.after) == last[1] for s in calls if s.after is not None)
                if steps.cut[side == 0] != cut:
                    yield (
                        f"that a constraint cuts off {trace.steps[-1].action} is said to be "
                        f"{steps.cut[side == 0]}, and is not so"
                    )
                if elsewhere != any(
                    other.plain(s.after) != last[1] and other.interpreter.kept(s.after)
                    for s in calls
                    if s.after is not None
                ):
                    yield (
                        f"that the other side's {trace.steps[-1].action} leads elsewhere is said to be "
                        f"{elsewhere}, and is not so"
                    )

    # Behaviours

    def _behaviours(self) -> Faults:
        found = self.c.behaviours
        if found is None:
            return
        sides, _ = alphabet((self.bare[0].definition, self.bare[1].definition), ("base", "edit"))
        if not sides[0]:
            return
        if found.complete or found.added or found.removed:
            for separation, mine, name in ((found.added, 1, "edit"), (found.removed, 0, "base")):
                true = first_word_alone(self.bare[mine], self.bare[1 - mine], sides[mine], sides[1 - mine])
                if (None if separation is None else len(separation.events)) != true:
                    yield (
                        f"a sequence of the {name} alone: {separation and separation.events}, by brute force of "
                        f"length {true}"
                    )
                elif separation is not None:
                    yield from self._told(separation, self.bare[mine], sides[mine])

    def _told(self, separation: Separation, graph: Graph, kinds: Mapping[str, Any]) -> Faults:
        """The run tells the events."""
        yield from replayed(graph, separation.trace)
        words = {()}
        for step, before, after in zip(separation.trace.steps, separation.trace.states, separation.trace.states[1:]):
            raw, next_raw = (raw_state(graph, s) for s in (before, after))
            told = {word_of(s.events, kinds) for s in graph.steps[raw] if _same_call(s, step) and s.after == next_raw}
            words = {(*w, *more) for w in words for more in told}
        over = separation.events[-1] == END
        wanted = separation.events[:-1] if over else separation.events
        if not any(w == wanted if over else w[: len(wanted)] == wanted for w in words):
            yield f"the run of {separation.events} does not tell them"
        if over and not graph.quiescent(raw_state(graph, separation.trace.states[-1])):
            yield f"the run of {separation.events} is not over"

    # Rules

    def _rules(self) -> Faults:
        definitions = [g.definition for g in self.bare]
        told = {r.name: r for r in self.c.rules}
        for name, method in definitions[1].methods.items():
            if (
                name not in definitions[0].methods
                or not is_function(method)
                or told.get(name)
                and told[name].relation in ("skipped", "undecided")
            ):
                continue
            arguments = self._arguments(name)
            if arguments is not None:
                yield from self._rule(name, told.get(name), arguments)

    def _arguments(self, name: str) -> list[tuple[Any, ...]] | None:
        """All arguments of a rule, as values of either side; None if it is no function."""
        parameters = [dict(g.definition.methods[name].parameters) for g in self.bare]
        if list(parameters[0]) != list(parameters[1]):
            return None
        combinations: list[tuple[Any, ...]] = [()]
        for parameter, domain in parameters[1].items():
            members = list(domain.members) if domain is not None else self._ints(name, parameter)
            combinations = [(*c, m) for c in combinations for m in members]
        return combinations

    def _ints(self, name: str, parameter: str) -> list[int]:
        """The numbers that a parameter without a type is called with somewhere."""
        found: set[int] = set()
        for g in self.watched:
            for f in lower(g.definition).functions:
                if f.name.split("#")[0] == name:
                    kind = next(p.type for p in f.parameters if p.name == parameter)
                    if isinstance(kind, t.Int):
                        found |= set(values(kind))
        return sorted(found)

    def _rule(self, name: str, said: RuleComparison | None, arguments: list[tuple[Any, ...]]) -> Faults:
        sides = tuple(g.interpreter for g in self.bare)
        relation = "equivalent" if said is None else said.relation
        seen = {"gained": "", "lost": "", "differs": "", "fails": ""}
        nearest: int | None = None
        for state, level in self._states():
            for given in arguments:
                a, b = (rule_value(side, name, raw, given) for side, raw in zip(sides, state))
                if a == b and type(a) is type(b):
                    continue
                where = f"{name}{given}: {a} → {b} in {self.bare[0].plain(state[0])}"
                if FAILS in (a, b):
                    seen["fails"] = seen["fails"] or where
                else:
                    kind = ("gained" if b else "lost") if isinstance(a, bool) and isinstance(b, bool) else "differs"
                    seen[kind] = seen[kind] or where
                    nearest = level if nearest is None and level is not None else nearest
        allowed = {
            "equivalent": (),
            "weaker": ("gained",),
            "stronger": ("lost",),
            "incomparable": ("gained", "lost"),
            "different": ("differs", "gained", "lost"),
        }[relation]
        for kind, where in seen.items():
            if where and kind not in allowed and not (kind == "fails" and said is not None and said.failures):
                yield f"{name} is {'not told of' if said is None else relation}, but {where}"
        if said is not None:
            for example in (*said.examples, *said.failures):
                yield from self._example(name, example)
            if said.reached is not None:
                yield from replayed(self.bare[0], said.reached)
                if nearest is not None and len(said.reached.steps) != nearest:
                    yield (
                        f"{name} is said to differ after {len(said.reached.steps)} steps, by brute force after "
                        f"{nearest}"
                    )
            if said.reached is None and nearest is not None and "no reachable" in said.note:
                yield f"{name}: {said.note}, but it differs after {nearest} steps"
            if said.reached is not None and nearest is None:
                yield (
                    f"{name} is said to differ after {len(said.reached.steps)} steps, by brute force it does in "
                    f"no reachable state"
                )

    def _states(self) -> Iterator[tuple[tuple[Raw, Raw], int | None]]:
        """States of both sides with the same values of what both have: those that the base reaches first, with the
        steps to each, then others of the types."""
        random = Random(0)
        variables = [[(v.name, v.domain.ir) for v in g.definition.variables] for g in self.bare]
        held: dict[str, list[t.Type]] = {}
        for name, kind in (*variables[0], *variables[1]):
            held.setdefault(name, []).append(kind)
        if variables[0] == variables[1]:
            yield from (((raw, raw), level) for raw, level in self.bare[0].level.items())
        for _ in range(SAMPLES):
            state = {
                n: random_raw(random, kinds[0] if len(kinds) == 1 else shared(*kinds)) for n, kinds in held.items()
            }
            yield tuple(tuple(state[n] for n, _ in side) for side in variables), None  # type: ignore[misc]

    def _example(self, name: str, example: RuleExample) -> Faults:
        found = []
        for g in self.bare:
            raws = [
                raw_of(v.domain.ir, example.state[v.name])
                if v.name in example.state
                else random_raw(Random(0), v.domain.ir)
                for v in g.definition.variables
            ]
            given = []
            for parameter, domain in g.definition.methods[name].parameters:
                value = example.arguments[parameter]
                given.append(
                    value
                    if domain is None
                    else domain.from_raw(raw_of(domain.ir, value))
                    if isinstance(value, str)
                    else value
                )
            found.append(rule_value(g.interpreter, name, tuple(raws), tuple(given)))
        said = [FAILS if failed else value for failed, value in zip(example.fails, (example.before, example.after))]
        if said != found or said[0] == said[1]:
            yield (
                f"{name}({dict(example.arguments)}) is said to be {said[0]} → {said[1]}, and is {found[0]} → "
                f"{found[1]} in {example.state}"
            )

    # Source

    def _sources(self) -> Faults:
        if self.c.sources:
            return
        a, b = (({g.plain(s): level for s, level in g.level.items()}, _edges(g)) for g in self.bare)
        if a != b:
            yield "nothing differs in the source, but the graphs do"


def renamings(outcome: Any, definition: Definition) -> Iterator[Any]:
    """An outcome with the members of every type of identities exchanged in every way, in a form that does not depend on
    an order."""
    types = [[str(plain(m)) for m in d.members] for d in definition.types.values() if isinstance(d, IdsDomain)]
    for orders in product(*map(permutations, types)):
        names = {a: b for own, order in zip(types, orders) for a, b in zip(own, order)}
        yield _renamed(outcome, names)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, FrozenMap):
        return sorted((repr(_renamed(k, names)), _renamed(v, names)) for k, v in value.items())
    if isinstance(value, frozenset):
        return sorted(repr(_renamed(v, names)) for v in value)
    return [_renamed(v, names) for v in value] if isinstance(value, tuple) else value


def shared(a: t.Type, b: t.Type) -> t.Type:
    """The type of the values that two variables of one name can both have."""
    kind = common(a, b)
    assert kind is not None
    return kind


def is_function(method: MethodDefinition) -> bool:
    """Whether a method is a rule, or a helper that returns a value."""
    return method.owner is None and (method.rule or method.name.startswith("count") or method.name.endswith("_inside"))


def _edges(graph: Graph) -> set[Any]:
    return {(state, str(s), s.action.fault, s.after) for state, steps in graph.steps.items() for s in steps}


KINDS = ("invariant", "step", "quiescence", "reachable", "leadsto")


def twofold(classes: tuple[type[Model], type[Model]]) -> list[str]:
    """The properties that are methods of both models, with different statements."""
    found = [{n: v for n, v in declarations(cls) if (m := mark_of(cls, n)) and m.kind in KINDS} for cls in classes]
    return [n for n, v in found[0].items() if n in found[1] and _body(v) != _body(found[1][n])]


def _body(method: Any) -> str:
    tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    assert isinstance(tree.body[0], ast.FunctionDef)
    docstring = ast.get_docstring(tree.body[0]) is not None
    return "\n".join(map(ast.unparse, tree.body[0].body[docstring:]))


def _copied(cls: type[Model], name: str) -> Any:
    """A method that is a property, for another class: with its decorator, which a method in a subclass need not
    repeat."""
    method = dict(declarations(cls))[name]
    copy = FunctionType(method.__code__, method.__globals__, name, method.__defaults__, method.__closure__)
    copy.__checker__ = mark_of(cls, name)  # type: ignore[attr-defined]
    return copy


def _listing(
    side: int, classes: tuple[type[Model], type[Model]], given: Mapping[str, Any], prefix: str = FORMER
) -> type[Model]:
    """The class of a side with the properties that either side lists, where they fit.  The edit has the base's
    definitions of properties that are methods with two definitions, too, under another name; with the prefix CHANGED
    the base has those of the edit."""
    cls = classes[side]
    kept = list(cls.properties)
    for extra in (*classes[0].properties, *classes[1].properties):
        if extra not in kept:
            kept.append(extra)
    told = {"__doc__": cls.__doc__, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
    methods = {
        f"{prefix}{name}": _copied(classes[1 - side], name) for name in twofold(classes) if side == (prefix == FORMER)
    }
    fitting = {n: v for n, v in methods.items() if _fits(type(cls.__name__, (cls,), {n: v, **told}), given)}
    return type(cls.__name__, (cls,), {"properties": kept, **fitting, **told})


def _fits(cls: type[Model], given: Mapping[str, Any]) -> bool:
    """Whether the model has what its property calls."""
    try:
        lower(define_model(cls, given))
    except UsageError:
        return False
    return True


def statement(name: str, graph: Graph) -> str:
    """A failure by what goes wrong, the method and the text of its line: the same statement in Base and Edit, which
    stand in one file."""
    told = re.fullmatch(r"(.*) \((?:line |([^():]+):)(\d+)\)", name)
    assert told is not None, name
    what, file, line = told.groups()
    module = sys.modules[graph.definition.model.__module__]
    text = inspect.getsource(module).splitlines()
    if file not in (None, Path(str(module.__file__)).name) or int(line) > len(text):
        return f"{what}: line {line}"  # in what the language gives to every model, a multicast
    method = next(x for x in reversed(text[: int(line)]) if x.strip().startswith("def "))
    return f"{what}: {method.split('(')[0].strip()}: {text[int(line) - 1].strip()}"


def _verdict(p: PropertyChange, name: str, graph: Graph, kinds: Mapping[str, str]) -> str:
    if p.kind in ("error", "assert"):
        return (
            "violated"
            if any(statement(n, graph) == statement(p.name, graph) for k, n in graph.findings if k == p.kind)
            else "holds"
        )
    shown = any(n == name for _, n in graph.findings)
    if name not in kinds:
        return "not listed"
    if kinds[name] == "reachable":
        return "reachable" if shown else "unreachable"
    return "violated" if shown else "holds"


def failing(trace: Trace) -> bool:
    """Whether the last step of a run is one that goes wrong itself, and leads nowhere."""
    return (
        trace.kind in ("error", "assert")
        and bool(trace.steps)
        and "(" in trace.steps[-1].note
        and trace.states[-1] == trace.states[-2]
    )


def raw_state(graph: Graph, state: Mapping[str, Any]) -> Raw:
    """The raw state with these plain values."""
    return tuple(raw_of(v.domain.ir, state[v.name]) for v in graph.definition.variables)


def _same_call(step: Any, wanted: TraceStep) -> bool:
    return step.action.name == wanted.action and {n: plain(v) for n, v in step.arguments} == dict(wanted.args)


def replayed(graph: Graph, trace: Trace) -> Iterable[str]:
    """What of a run the interpreter does not have."""
    states = [raw_state(graph, s) for s in trace.states]
    if states[0] not in graph.initial:
        yield f"the run of {trace.property} does not begin in an initial state"
    for step, before, after in zip(trace.steps, states, states[1:]):
        last = step.number == len(trace.steps)
        if before not in graph.steps or not any(
            _same_call(s, step) and (s.after == after or last and s.failure is not None and before == after)
            for s in graph.steps[before]
        ):
            yield f"step {step.number} of the run of {trace.property}, {step.action}, is no step"

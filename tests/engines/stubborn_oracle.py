"""Stubborn sets by their definition: steps with labels, computed by the evaluator of the intermediate representation,
and D1 and D2 (A. Valmari, "Stop it, and be stubborn!", ACSD 2015) followed through all sequences of other steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from attrs import define, field, frozen

from checker.engines.reduced import reduction
from checker.ir.evaluate.environment import Disabled, Environment, Failure, Script
from checker.ir.evaluate.expressions import evaluate, items
from checker.ir.evaluate.model import Evaluator
from checker.ir.evaluate.statements import Stop, call, run
from checker.ir.footprints.instances import opening_of
from checker.ir.model import Action, Model
from checker.ir.stubborn.relations import Relations, mask
from checker.ir.values import values

State = tuple[Any, ...]


@frozen
class Labelled:
    """A step: its instance, what tells it from other steps of that, whether it is a crash or an error, the state
    after it."""

    instance: int
    label: tuple[Any, ...]
    crashed: bool
    failure: Failure | None
    after: State | None


@define
class Oracle:
    """Steps and stubborn sets of a lowered model."""

    model: Model
    names: list[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.reduction = reduction(self.model)
        self.tables, self.labels = self.reduction.tables, self.reduction.labels
        self.names = [v.name for v in self.model.variables]
        self.functions = {f.name: f for f in self.labels.model.functions}
        self.known: dict[State, tuple[list[Labelled], int]] = {}

    reduction: Any = field(init=False)
    tables: Any = field(init=False)
    labels: Any = field(init=False)
    functions: Any = field(init=False)
    known: Any = field(init=False)

    def initial(self) -> list[State]:
        return list(dict.fromkeys(tuple(s[n] for n in self.names) for s in Evaluator(self.model).initial()))

    def _call(self, name: str, state: dict[str, Any], arguments: list[Any]) -> Any:
        return call(Environment(self.labels.model, state, state, call=call), self.functions[name], arguments)

    def steps(self, state: State) -> tuple[list[Labelled], int]:
        """All steps of a state, and the facts that hold in it."""
        if state not in self.known:
            whole = dict(zip(self.names, state))
            facts = mask(n for n, name in enumerate(self.labels.facts) if name and self._call(name, whole, []))
            found = []
            for number, action in enumerate(self.model.actions):
                for arguments in product(*(list(values(p.type)) for p in action.parameters)):
                    offered = self._offered(action, whole, arguments)
                    for item in offered if self.labels.kind[number] else ():
                        fact = self._call(self.labels.kind[number], whole, [*arguments, item])
                        facts |= 1 << fact if fact >= 0 else 0
                    found += self._runs(number, action, whole, arguments, offered)
            self.known[state] = found, facts
        return self.known[state]

    def _offered(self, action: Action, state: dict[str, Any], arguments: tuple[Any, ...]) -> list[Any]:
        opening = opening_of(action)
        if opening is None:
            return []
        names = {p.name: a for p, a in zip(action.parameters, arguments)}
        whole = evaluate(Environment(self.model, state, state, names, call=call), opening.iterable)
        return items(opening.iterable.type, whole)

    def _runs(
        self, number: int, action: Action, state: dict[str, Any], arguments: tuple[Any, ...], offered: list[Any]
    ) -> Iterator[Labelled]:
        script, more = Script(), True
        while more:
            names = {p.name: a for p, a in zip(action.parameters, arguments)}
            x = Environment(self.model, dict(state), state, names, script, call=call)
            crashed, failure, possible = False, None, True
            try:
                run(x, action.body)
            except Stop as stop:
                crashed = stop.args[0]
            except Failure as error:
                failure = error
            except Disabled:
                possible = False
            if possible:
                taken = [offered[script.entries[0][0]]] if opening_of(action) is not None else []
                instance = self._call(self.labels.instance[number], state, [*arguments, *taken])
                choices = tuple(index for index, _ in script.entries[len(taken) :])
                after = None if failure else tuple(x.state[n] for n in self.names)
                yield Labelled(instance, (arguments, *taken, choices), crashed, failure, after)
            more = script.advance()

    def chosen(self, state: State) -> int | None:
        """The stubborn set of a state; None where everything is taken: nothing but faults is possible."""
        steps, facts = self.steps(state)
        faults = self.tables.faults
        progress = [s for s in steps if not s.crashed and not faults >> s.instance & 1]
        if not progress:
            return None
        keys = mask(s.instance for s in progress if s.failure is None) & self.reduction.keyed
        seeds = [self.reduction.seeds[k] for k in bits(keys)]
        return chosen(self.tables, mask(s.instance for s in steps), seeds, facts)

    def reachable(self, reduced: bool, most: int = 20_000) -> dict[State, list[Labelled]]:
        """The states of the full or the reduced graph, each with the steps taken there."""
        pending, found = self.initial(), dict[State, list[Labelled]]()
        while pending:
            state = pending.pop()
            if state in found:
                continue
            steps, wanted = self.steps(state)[0], self.chosen(state) if reduced else None
            found[state] = [s for s in steps if wanted is None or wanted >> s.instance & 1]
            pending += [s.after for s in found[state] if s.after is not None]
            assert len(found) <= most
        return found

    def _name(self, step: Labelled) -> tuple[Any, ...]:
        """What a step is called in each state in which it is possible."""
        return (self.tables.steps[step.instance] if step.instance >= 0 else -1, step.label)

    def broken(self, state: State, most: int = 400) -> str:
        """How the chosen set of a state breaks D1 or D2; empty if it does not, as far as so many states show."""
        wanted = self.chosen(state)
        if wanted is None:
            return ""

        first = {self._name(s): s for s in self.steps(state)[0] if wanted >> s.instance & 1}

        def named(at: State, inside: bool) -> dict[tuple[Any, ...], Labelled]:
            """The steps in the set, or outside; a receipt that commutes with others is in it whatever its case."""
            found = {self._name(s): s for s in self.steps(at)[0]}
            return {n: s for n, s in found.items() if (n in first or bool(wanted >> s.instance & 1)) == inside}

        seen, pending = (
            {(state, tuple(s.after for s in first.values()))},
            [(state, {k: s.after for k, s in first.items()})],
        )
        while pending and len(seen) < most:
            here, moved = pending.pop()
            for label, step in named(here, False).items():
                if step.after is None:
                    continue
                there = {}
                now = named(step.after, True)
                if set(now) != set(first):
                    return f"{label} changes which chosen steps are possible: {set(now) ^ set(first)}"
                for key, after in moved.items():
                    if after is None:
                        continue
                    same = {self._name(s): s for s in self.steps(after)[0]}.get(label)
                    if same is None or same.after != now[key].after:
                        return f"{label} and {key} do not commute"
                    there[key] = same.after
                mark = (step.after, tuple(there.values()))
                if mark not in seen:
                    seen.add(mark)
                    pending.append((step.after, there))
        return ""


def chosen(tables: Relations, enabled: int, seeds: list[int], facts: int) -> int:
    """The stubborn set of a state: of those that begin with the seeds of a key, the first with the fewest enabled
    instances; if there is no key, everything."""
    best, fewest = (1 << len(tables.instances)) - 1, enabled.bit_count()
    for seed in seeds:
        found = closure(tables, seed, enabled, facts)
        if (found & enabled).bit_count() < fewest:
            best, fewest = found, (found & enabled).bit_count()
    return best


def closure(tables: Relations, seed: int, enabled: int, facts: int) -> int:
    """The least stubborn set with the instances of a seed, where each disabled one follows the condition that asks for
    the fewest more, of which the fewest are enabled."""
    found = work = seed
    while work:
        i = (work & -work).bit_length() - 1
        work &= work - 1
        if enabled >> i & 1:
            more = tables.depends[i]
        else:
            wanting = [o.enabling for o in tables.options[i] if bool(facts >> o.fact & 1) != o.holds]
            more = min(wanting, key=lambda m: cost(m & ~found, enabled), default=tables.otherwise[i])
        work |= more & ~found
        found |= more
    return found


def cost(more: int, enabled: int) -> tuple[int, int]:
    """What it costs to add instances: enabled ones first."""
    return (more & enabled).bit_count(), more.bit_count()


def bits(mask: int) -> Iterable[int]:
    """The numbers of the bits set, ascending."""
    return (n for n in range(mask.bit_length()) if mask >> n & 1)

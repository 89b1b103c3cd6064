"""What an accepted model with symmetric identities must fulfil, found out by brute force with the interpreter.

A permutation of the members maps states to states.  It must map the steps of a state to the steps of the permuted
state, and change nothing in what the properties say; then merging permuted states is right whatever is merged.
Exchanges of two neighbours make every permutation, so they are enough, in all states: reachable or not.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from attrs import define, field

from checker.backends.interpreter.explore import Exploration, explore
from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw
from checker.frontend.lower import lower
from checker.ir.canonical import Canonical
from checker.ir.draw import drawn
from checker.ir.model import Model as Lowered
from checker.language.define import define as define_model
from checker.language.definition import Definition
from checker.language.errors import UsageError

FAILED = "a failure"


@define
class Symmetric:
    """An accepted model, without merging and with."""

    plain: Definition
    merging: Definition
    lowered: Lowered
    canonical: Canonical
    interpreter: Interpreter = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.interpreter = Interpreter(self.plain)

    @classmethod
    def of(cls, model: Any) -> Symmetric:
        """Raises UsageError for a model that is refused."""
        plain, merging = (define_model(model, {"symmetry": merged}) for merged in (False, True))
        lowered = lower(merging)
        assert lowered.symmetry is not None
        return cls(plain, merging, lowered, Canonical.of(lowered.variables, lowered.symmetry))

    # -- permuted states have permuted steps

    def asymmetry(self, state: Raw, rng: Random, failures: bool = True) -> str | None:
        """How a state and an exchange of it differ in one instance of an action, and in what the properties say; None
        if they do not.

        failures: whether it counts that one of them may fail where the other does not.
        """
        number = rng.randrange(len(self.canonical.exchanges))
        other = self.canonical.exchanged(state, number)
        action = rng.choice(self.plain.actions)
        given = [
            rng.choice(p.domain.members) for p in (action.parameters if action.kind in ("action", "crash") else ())
        ]
        swapped = [self._swapped(p.domain, value, number) for p, value in zip(action.parameters, given)]
        expected = Counter(
            x if x == FAILED else self.canonical.exchanged(x, number)
            for x in self.after(state, action, given).elements()
        )
        found = self.after(other, action, swapped)
        if _differ(expected, found, failures):
            return (
                f"{action.name}{tuple(given)} in {self.shown(state)}, {self._name(number)}: "
                f"{self._apart(expected - found)} where the exchanged state has {self._apart(found - expected)}"
            )
        after = [x for x in found if x != FAILED][:2]
        said, told = (
            self.says(self.canonical.exchanged(other, number), [self.canonical.exchanged(x, number) for x in after]),
            self.says(other, after),
        )
        for name in said:
            if said[name] != told[name] and (failures or FAILED not in (said[name], told[name])):
                return f"{name} in {self.shown(state)}, {self._name(number)}: {said[name]} and {told[name]}"
        return None

    def after(self, state: Raw, action: Any, arguments: list[Any]) -> Counter[Any]:
        """How often each state comes after an instance of an action; that it can fail counts once."""
        steps = Counter(
            FAILED if step.after is None else step.after
            for step in self.interpreter._instances(state, action, tuple(arguments))
        )
        return Counter({after: 1 if after == FAILED else n for after, n in steps.items()})

    def says(self, state: Raw, after: list[Raw]) -> dict[str, Any]:
        """What properties and constraints say in a state and of steps out of it."""
        cut = FAILED if self.interpreter.unconstrained(state) is not None else self.interpreter.kept(state)
        found: dict[str, Any] = {"constraints": cut}
        for p in self.plain.properties:
            for number, at in enumerate(after if p.kind == "step" else [state]):
                violated = self.interpreter.violated(p, at, state if p.kind == "step" else None)
                found[f"{p.name} {number}"] = FAILED if isinstance(violated, Failure) else violated
        return found

    def _swapped(self, domain: Any, value: Any, number: int) -> Any:
        return domain.from_raw(self.canonical.exchanges[number].value(domain.ir, domain.to_raw(value)))

    def _name(self, number: int) -> str:
        exchange = self.canonical.exchanges[number]
        return f"{exchange.family.members[exchange.first]} and the next exchanged"

    def shown(self, state: Raw) -> dict[str, Raw]:
        """A state with the names of the variables."""
        return dict(zip((v.name for v in self.plain.variables), state))

    def _apart(self, after: Counter[Any]) -> list[Any]:
        return [x if x == FAILED else self.shown(x) for x in after]

    def random_state(self, rng: Random) -> Raw:
        """Any state of the types, reachable or not."""
        return tuple(drawn(v.type, rng) for v in self.lowered.variables)

    # -- merging finds one state of each class

    def explored(self, merging: bool, most: int) -> Exploration | None:
        """The search of the interpreter; None if there are too many states."""
        found = explore(
            Interpreter(self.merging if merging else self.plain),
            max_states=most,
            canonical=self.canonical if merging else None,
        )
        return None if found.bound is not None else found

    def refuses(self, merging: bool) -> bool:
        """Whether the model goes wrong before its first state."""
        try:
            Interpreter(self.merging if merging else self.plain).initial()
        except UsageError:
            return True
        return False

    def orbit(self, state: Raw) -> frozenset[Raw]:
        """All permutations of a state."""
        known, new = {state}, [state]
        while new:
            at = new.pop()
            for number in range(len(self.canonical.exchanges)):
                other = self.canonical.exchanged(at, number)
                if other not in known:
                    known.add(other)
                    new.append(other)
        return frozenset(known)

    def mismerged(self, most: int) -> str | None:
        """How the merged search and the full one differ; None if they do not, or if there are too many states."""
        refused = [self.refuses(merging) for merging in (False, True)]
        if any(refused):
            return None if all(refused) else "only one of the two searches refuses the @initial method"
        full = self.explored(False, most)
        if full is None:
            return None
        merged = self.explored(True, most)
        assert merged is not None
        for what, of_full, of_merged in (
            ("states", full.order, merged.order),
            ("quiescent states", full.quiescent, merged.quiescent),
        ):
            classes = {self.orbit(state) for state in of_full}
            if len(of_merged) != len(classes) or {self.orbit(state) for state in of_merged} != classes:
                return f"{what}: {len(classes)} classes, {len(of_merged)} merged"
        shown = [{(f.kind, f.name, f.line, f.steps) for f in x.findings.values()} for x in (full, merged)]
        return None if shown[0] == shown[1] else f"findings: {sorted(shown[0])} in full, {sorted(shown[1])} merged"


def _differ(one: Counter[Any], two: Counter[Any], failures: bool) -> bool:
    return one != two and (failures or FAILED not in one | two)

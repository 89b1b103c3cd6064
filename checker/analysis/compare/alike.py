"""Whether parts of two lowered models are the same, up to source lines and the names of functions.

A function may have another name in the other model, because its models were lowered in another order.  Functions that
are known to have the same value in every state are not looked into; they are given by the rule that they are instances
of.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from checker.analysis.compare.asked import reads_before, root
from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir.visit import walk, with_calls_renamed, without_lines


class Alike:
    """The comparison of two models, part by part.  same: rules with the same value in every state, for all arguments
    that either model passes.
    """

    def __init__(self, models: tuple[m.Model, m.Model], same: Collection[str] = ()) -> None:
        self.models, self.same = models, same
        self.names: dict[str, str] = {}  # of the functions of the first model, in the second
        self.checked: set[str] = set()
        self.rested: list[str] = []  # the rules that were not looked into

    def functions(self, one: str, other: str) -> bool:
        """Whether two functions, with all that they call, are the same."""
        return self._names([one], [other]) and self._called()

    def whole(self) -> bool:
        """Whether both models have the same variables, steps, constraints and properties."""
        one, other = self.models
        if (one.variables, one.symmetry) != (other.variables, other.symmetry):
            return False
        actions = (one.initial, *one.actions), (other.initial, *other.actions)
        if len(actions[0]) != len(actions[1]) or not all(map(self._actions, *actions)):
            return False
        predicates = [[n for p in side.properties for n in _predicates(p)] for side in self.models]
        kinds = [[(p.name, p.kind, bool(p.when), len(p.each)) for p in side.properties] for side in self.models]
        return (
            kinds[0] == kinds[1]
            and self._names(predicates[0], predicates[1])
            and self._names(one.constraints, other.constraints)
            and self._called()
        )

    def _actions(self, one: m.Action, other: m.Action) -> bool:
        fixed = [(a.name, a.parameters, a.locals, a.fault) for a in (one, other)]
        return fixed[0] == fixed[1] and self._nodes((one.body, one.received), (other.body, other.received))

    def _called(self) -> bool:
        """Whether the functions met so far are the same, with all that they call."""
        while pending := [name for name in self.names if name not in self.checked]:
            for name in pending:
                self.checked.add(name)
                f, g = self.models[0].function(name), self.models[1].function(self.names[name])
                if (f.parameters, f.result) != (g.parameters, g.result):
                    return False
                if self._known(f, g):
                    continue
                if f.locals != g.locals or not self._nodes(f.body, g.body):
                    return False
        return True

    def _known(self, f: m.Function, g: m.Function) -> bool:
        """Whether both are instances of a rule that has the same value everywhere, in the current state."""
        if root(f.name) != root(g.name) or root(f.name) not in self.same:
            return False
        if reads_before(self.models[0], f) or reads_before(self.models[1], g):
            return False
        self.rested.append(root(f.name))
        return True

    def _nodes(self, one: Any, other: Any) -> bool:
        calls = [[node.function for node in walk(side) if isinstance(node, e.Call)] for side in (one, other)]
        if not self._names(*calls):
            return False
        return bool(without_lines(with_calls_renamed(one, self.names.__getitem__)) == without_lines(other))

    def _names(self, one: Any, other: Any) -> bool:
        """Whether these functions can be the same; the answer is known when they were compared."""
        return len(one) == len(other) and all(self.names.setdefault(a, b) == b for a, b in zip(one, other))


def _predicates(property: m.Property) -> tuple[str, ...]:
    return (*property.predicates, *[property.when] * bool(property.when))

"""Whether a condition has its value in every run in which the same call is made: it reads no state, directly or through
rules and local variables.

Such a condition ("p3 is not in [p2, p1]") is no reason why a run violates a property.  The arguments of an action count
as given, of a handler only the two processes: the content of a message comes from the state of its sender.

Where it stops: a name that cannot be followed to its value counts as one that comes from the state.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from checker.frozen import frozen
from checker.language.definition import Definition
from checker.language.places import function_node
from checker.replay.executed import Done
from checker.replay.reading import nodes_of, reads_state

GIVEN_OF_A_HANDLER = 2  # the receiver and the sender


@frozen
class Fixed:
    """What was done in a step of an action, in order."""

    definition: Definition
    done: Sequence[Done]

    def is_fixed(self, number: int) -> bool:
        """Whether the condition with this number, a test, a guard or the call of a rule, is the same in every run."""
        done = self.done[number]
        match done.node:
            case ast.FunctionDef(name=name):
                calls = () if done.within is None else _calls(done.within, name)
                parts: Sequence[ast.expr] = [a for call in calls[:1] for a in _arguments(call)]
                if len(calls) != 1 or reads_state([done.node], self.definition):
                    return False
            case ast.If(test) | ast.While(test) | ast.Expr(ast.Call(args=[test])):
                parts = [test]
            case _:
                return False
        return all(self._is(part, done.calls, number) for part in parts)

    def _is(self, node: ast.expr, calls: Sequence[int], number: int) -> bool:
        """Whether an expression that is evaluated in a call of a method, before a statement, is."""
        if not calls or reads_state([node], self.definition):
            return False
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        bound = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        return all(self._is_name(name, calls, number) for name in names - bound)

    def _is_name(self, name: str, calls: Sequence[int], number: int) -> bool:
        for place in range(number - 1, -1, -1):
            done = self.done[place]
            if tuple(done.calls) != tuple(calls):
                continue
            match done.node:
                case ast.Assign([ast.Name(target)], value) | ast.AnnAssign(
                    ast.Name(target), _, ast.expr() as value
                ) if target == name:
                    return self._is(value, calls, place)
                case ast.For(target, domain) if name in _stored(target):
                    return self._is(domain, calls, place)
                case ast.Assign() | ast.AugAssign() if name in _stored(done.node):
                    return False
        method = self._method(calls)
        parameters = [] if method is None else [a.arg for a in method.args.args]
        if method is None or name not in parameters[1:]:
            return method is not None and name not in _stored(method)
        place = parameters.index(name) - 1
        return self._given(method, place) if len(calls) == 1 else self._passed(method.name, place, calls, number)

    def _given(self, method: ast.FunctionDef, place: int) -> bool:
        """Whether an argument of an action does not come from the state."""
        taken = [a for a in self.definition.actions if a.function is not None and function_node(a.function) is method]
        return any(a.kind == "action" or place < (GIVEN_OF_A_HANDLER if a.quorum is None else 1) for a in taken)

    def _passed(self, method: str, place: int, calls: Sequence[int], number: int) -> bool:
        """Whether the argument with which a method was called is the same in every run."""
        first = next((n for n in range(number) if self.done[n].calls == tuple(calls)), number)
        outer = tuple(calls[:-1])
        site = next((n for n in range(first - 1, -1, -1) if self._is_site(n, outer)), None)
        found = [] if site is None else _calls(self.done[site].node, method)
        if site is None or len(found) != 1 or len(_arguments(found[0])) <= place or found[0].keywords:
            return False
        return self._is(_arguments(found[0])[place], outer, site)

    def _is_site(self, number: int, calls: Sequence[int]) -> bool:
        return self.done[number].calls == calls and not isinstance(self.done[number].node, ast.FunctionDef)

    def _method(self, calls: Sequence[int]) -> ast.FunctionDef | None:
        """The method that a call executes."""
        inside = next((d.node for d in self.done if d.calls == tuple(calls) and d.within is None), None)
        actions = (function_node(a.function) for a in self.definition.actions if a.function is not None)
        methods = [*actions, *nodes_of(self.definition).values()]
        return next((m for m in methods if m and any(inner is inside for inner in ast.walk(m))), None)


def _calls(node: ast.stmt, name: str) -> list[ast.Call]:
    """The calls of a method in a statement; of a test and a loop without what stands inside."""
    match node:
        case ast.If(test) | ast.While(test):
            parts: list[ast.AST] = [test]
        case ast.For(iter=domain):
            parts = [domain]
        case _:
            parts = [node]
    found = (n for part in parts for n in ast.walk(part) if isinstance(n, ast.Call))
    return [n for n in found if isinstance(n.func, ast.Attribute) and n.func.attr == name]


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)]


def _stored(node: ast.AST) -> set[str]:
    """The names that a statement or a target binds."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

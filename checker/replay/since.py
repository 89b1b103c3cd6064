"""Why a condition that prevents a missing step has the value that it has: the step that gave it this value.

Of the parts of the condition that decide, the first counts that a step of the run changed: the last such step is named,
with the statement that did it; of a part about an element the step that put the element into its collection, if that
is later.  If no step did, a value is sought that the condition reads and that no step of the run
changes; it is named with the test that skipped the branch which would have changed it, if a process ran into one.  Else
the last step is named that changed a side of the comparison, with the value that this reads; if none did, the side.

Where it stops: the condition is evaluated again in each state of the run with the local variables that it has at the
end, so a part that reads a local variable other than an argument may have had another meaning earlier.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.places import function_node
from checker.language.values import Id
from checker.replay.deciding import decided, methods_of, writes, written_by
from checker.replay.guards import DEEPEST, SHOWN, bindings, quantifier_of, truth_of
from checker.replay.operands import operands
from checker.replay.plain import instance_text, plain, value_text
from checker.replay.rule_bodies import body_of, rule_body
from checker.replay.scope import Scope, quietly
from checker.replay.turned_away import turned_away
from checker.trace.reasons import Reason

Asked = tuple[ast.expr, Scope]
"""A part of a condition, and the scope in which it is asked."""


def deciding_parts(
    node: ast.expr, scope: Scope, wanted: bool = True, depth: int = 0, among: list[Asked] | None = None
) -> Iterator[Asked]:
    """The innermost parts because of which a condition does not have the wanted truth, in the order of `guards.why`.
    among: gets that each element for which such a part is asked is in its domain."""
    quantified = quantifier_of(node)
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            yield from deciding_parts(operand, scope, not wanted, depth, among)
            return
        case ast.BoolOp(op, parts):
            wrong = [part for part in parts if truth_of(part, scope) is (not wanted)]
            for part in wrong[:1] if isinstance(op, ast.And) == wanted else wrong:
                yield from deciding_parts(part, scope, wanted, depth, among)
            return
        case ast.Call() if quantified is None and depth < DEEPEST:
            inner = rule_body(node, scope)
            if inner is not None:
                yield from deciding_parts(_inlined(node, *inner, scope), inner[1], wanted, depth + 1, among)
                return
    if quantified is None or depth >= DEEPEST:
        yield node, scope
        return
    generator, universal = quantified
    inside = [scope.with_names(names) for names in bindings(generator, scope)]
    decides = [inner for inner in inside if truth_of(generator.elt, inner) is not wanted]
    if not decides:
        yield node, scope
    for element in decides[:1] if universal == wanted else decides[:SHOWN]:
        if among is not None:
            among += [(member, element) for each in generator.generators for member in _member(each)]
        yield from deciding_parts(generator.elt, element, wanted, depth + 1, among)


def _member(each: ast.comprehension) -> Iterator[ast.expr]:
    """That an element is in the domain over which its variable goes; nothing for an element in parts."""
    if isinstance(each.target, ast.Name):
        node = ast.Compare(ast.Name(each.target.id, ast.Load()), [ast.In()], [each.iter])
        yield ast.fix_missing_locations(ast.copy_location(node, each.iter))


def _inlined(call: ast.Call, returned: ast.expr, inner: Scope, scope: Scope) -> ast.expr:
    """What a rule returns, with the values of its local variables in their place, if it only assigns them.  inner: its
    scope."""
    before, _ = body_of(quietly(scope, call.func).__func__) or ([], returned)
    names: dict[str, Any] = {}
    for statement in before:
        match statement:
            case ast.Assign([ast.Name(name)]) if isinstance(inner.names.get(name), Id):
                continue  # an identity is shown as itself
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                names[name] = _Inlined(names).visit(copy.deepcopy(value))
            case _:
                return returned
    inlined: ast.expr = _Inlined(names).visit(copy.deepcopy(returned)) if names else returned
    return inlined


class _Inlined(ast.NodeTransformer):
    """Replaces local variables by expressions."""

    def __init__(self, names: Mapping[str, ast.expr]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> Any:
        vars(node).pop("code", None)  # the compiled text before the replacement
        return super().visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.names.get(node.id, node)


def _element(node: ast.expr) -> ast.expr | None:
    """What a condition seeks in a collection."""
    match node:
        case ast.Compare(left, [ast.In() | ast.NotIn()], [_]):
            return left
    return None


def _sides(asked: Asked) -> list[Asked]:
    """The sides of a comparison; of another condition none."""
    node, scope = asked
    return [(side, scope) for side in (node.left, *node.comparators)] if isinstance(node, ast.Compare) else []


@frozen
class Since:
    """A run, at whose end a condition prevents a step."""

    interpreter: Interpreter
    states: Sequence[Raw]
    steps: Sequence[Step]
    processes: Collection[str]

    def reason(self, asked: Asked, wanted: bool, values: Sequence[str]) -> Reason:
        """Why a condition does not have the wanted truth, in a sentence that continues its own reason, with the step
        that it names; "" if nothing is known.  values: the arguments of the condition."""
        parts, changed, joined = self._parts(asked, wanted)
        if joined is not None:
            return self._so_since(joined)
        read = list(self._read(*(changed or parts[0]))) if parts else []
        if not read:
            return Reason("")
        never = next((part for part in read if not self._changed(*part)), None)
        if never is not None and (changed is None or len(read) > 1):
            return self._never(never, values)
        if changed is not None:
            return self._so_since(changed)
        element = _element(parts[0][0])
        if element is not None:
            return self._never(read[-1], values, f"{value_text(quietly(parts[0][1], element))} in ")
        sides = _sides(parts[0]) or read
        last = max(self._changed(*side) for side in sides)
        if not last:  # what changed in the values that it reads makes no difference to what it compares
            return self._never(sides[0], values)
        part = next((part for part in read if self._changes(*part, last)), sides[0])
        value = value_text(part[1].value(part[0]))
        return Reason(f"{part[1].text(part[0])} is {value} since {self._step(last, part)}", steps=(last,))

    def turned(self, asked: Asked, wanted: bool) -> Reason:
        """As `reason`, the step since which a part of the condition has its truth; "" if it has it from the start."""
        _, changed, joined = self._parts(asked, wanted)
        last = joined or changed
        return Reason("") if last is None else self._so_since(last)

    def _parts(self, asked: Asked, wanted: bool) -> tuple[list[Asked], Asked | None, Asked | None]:
        """The parts that decide a condition, the first whose truth a step changed, and that the element about which
        they are is in its collection, if a later step put it there."""
        among: list[Asked] = []
        parts = [part for part in deciding_parts(*asked, wanted, among=among) if self._variables(*part)]
        changed = next((part for part in parts if self._changed(*part)), None)
        joined = max((part for part in among if self._variables(*part)), key=lambda p: self._changed(*p), default=None)
        later = 0 if joined is None else self._changed(*joined)
        return parts, changed, joined if later > (0 if changed is None else self._changed(*changed)) else None

    def _so_since(self, changed: Asked) -> Reason:
        """The last step that changes the truth of a part; later ones may change what it reads."""
        last = self._changed(*changed)
        by = next((part for part in self._read(*changed) if self._changes(*part, last)), changed)
        return Reason(f"so since {self._step(last, by)}", steps=(last,))

    def _never(self, part: Asked, values: Sequence[str], element: str = "") -> Reason:
        """That no step of the run gives a part of the state another value, or puts an element there, with the test that
        skipped the branch which would have done it."""
        text, names = part[1].text(part[0]), set(self._variables(*part))
        if not any(written_by(n, names) for method in self._methods() for n in ast.walk(method)):
            return Reason("")
        found = self._skipped(values, names)
        done = f"no step puts {element}{text}".replace(" in ", " into ") if element else f"no step changes {text}"
        return Reason(f"{done}: {found}" if found else done, steps=found.steps)

    def _methods(self) -> Iterator[ast.FunctionDef]:
        """The methods of the model, those that `super()` calls too."""
        methods, _ = methods_of(self.interpreter.definition)
        yield from (node for function in methods.values() if (node := function_node(function)) is not None)

    def _variables(self, node: ast.expr, scope: Scope) -> list[str]:
        """The variables that an expression reads itself."""
        variables = {v.name for v in self.interpreter.definition.variables if v.network is None}
        found = (n for n in ast.walk(node) if isinstance(n, ast.Attribute) and n.attr in variables)
        return [n.attr for n in found if isinstance(n.value, ast.Name) and n.value.id == scope.model_name]

    def _read(self, node: ast.expr, scope: Scope) -> Iterator[Asked]:
        """The largest parts of an expression that read a variable."""
        try:
            found = list(operands(node, scope))
        except Exception:  # an expression that cannot be evaluated alone
            return
        yield from ((part, scope) for part in found if self._variables(part, scope))

    def _changed(self, node: ast.expr, scope: Scope) -> int:
        """The number of the last step that changes the value of an expression; 0 if none does."""
        return next((n for n in range(len(self.steps), 0, -1) if self._changes(node, scope, n)), 0)

    def _changes(self, node: ast.expr, scope: Scope, number: int) -> bool:
        """Whether a step changes the value of an expression."""
        before, after = (self._value(node, scope, self.states[n]) for n in (number - 1, number))
        return bool(before != after)

    def _value(self, node: ast.expr, scope: Scope, state: Raw) -> Any:
        return plain(quietly(scope.with_names({scope.model_name: self.interpreter.viewpoint(state)}), node))

    def _step(self, number: int, changed: Asked) -> str:
        """A step with the statement that writes a value."""
        names, text = self._variables(*changed), changed[1].text(changed[0])
        step, states = self.steps[number - 1], (self.states[number - 1], self.states[number])
        call = instance_text(step.action.name, [v for _, v in step.arguments])
        found = decided(self.interpreter, *states, step, [writes(names)], text)
        return f"step {number}, {call}" + (f": {found.text}" if found else "")

    def _skipped(self, values: Sequence[str], names: Collection[str]) -> Reason:
        """The test with which a process skipped the branch that would have written one of these variables."""
        process = next((value for value in values if value in self.processes), None)
        run = self.interpreter, self.states, self.steps
        found = () if process is None else turned_away(*run, process, values, names, self.processes)
        return next(iter(found), Reason(""))

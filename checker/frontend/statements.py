"""Statements: control flow, guards, returns; assignments are in `assignments`, changes of collections in `changes`.

`block` returns whether control can reach its end: statements after a return are not lowered, and a name that has no
value on some path must not be used.  Which names have a value is decided as in chapter 16 of the Java Language
Specification (definite assignment): after alternatives the names that have a value at the end of each reachable one,
after `while True` those that have one at each break, after other loops those that had one before.  Only constant
conditions count as true or false.  Nothing therefore follows from two ifs with one condition, or from a loop whose
first round is certain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from checker.frontend import comprehensions, expressions, iterating, lattice, lowering
from checker.frontend import meaning as m
from checker.frontend.bindings import AMBIGUOUS, UNASSIGNED, VARIOUS, Alias, Binding, Known, Stored, Unclear
from checker.frontend.coerce import coerce
from checker.frontend.scope import Empty, Ended, Frame, Incomplete
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.language.places import is_own


def block(f: Frame, body: list[ast.stmt]) -> bool:
    """Lower statements in order; whether control reaches the end."""
    for statement in body:
        try:
            reaches = lower(f, statement)
        except Incomplete:
            if f.body.last():
                remedy = "Give the collection an item, or annotate the parameter."
                f.refuse(statement, "the type of something here is never known", remedy)
            reaches = not isinstance(statement, ast.Return)
            _passed_over(f, statement)
        except Ended:
            return False
        if not reaches:
            return False
    return True


def _passed_over(f: Frame, node: ast.stmt) -> None:
    """Bind the names that a statement assigns, if the type of a part is not known in this round; a later round knows
    it.
    """
    for name in _assigned([node]):
        f.names.setdefault(name, Stored(f.variable(name)))


def lower(f: Frame, node: ast.stmt) -> bool:
    """Lower one statement."""
    lower = lowering.STATEMENTS.get(type(node))
    if lower is None:
        remedy = "Section 9 of docs/language.md lists the statements that methods may use."
        f.refuse(node, f"{type(node).__name__.lower()} is not in the language", remedy)
    return lower(f, node)


@lowering.statement(ast.Break, ast.Continue)
def _jump(f: Frame, node: ast.Break | ast.Continue) -> bool:
    if isinstance(node, ast.Break):
        f.left[-1].append(dict(f.names))
        f.emit(s.Break(node.lineno))
    else:
        f.emit(s.Continue(node.lineno))
    return False


@lowering.statement(ast.Pass)
def _pass(f: Frame, node: ast.Pass) -> bool:
    return True


@lowering.statement(ast.Expr)
def _expression(f: Frame, node: ast.Expr) -> bool:
    call = node.value
    if isinstance(call, ast.Constant) and isinstance(call.value, str):
        return True  # a docstring
    if not isinstance(call, ast.Call):
        f.refuse(node, "an expression without effect", _instead_of_idle(f, call))
    callee = expressions.meaning(f, call.func)
    match callee:
        case m.Builtin("require"):
            _require(f, call)
            return not _is_false(call.args[0])
        case m.Builtin("choose"):
            expressions.meaning(f, call)
        case m.Builtin(name):
            f.refuse(node, f"{name}(...) has no effect here", _instead_of_call(f, node, name))
        case m.Meaning() if type(callee) in lowering.CALLED:
            lowering.CALLED[type(callee)](f, call, callee)
        case _:
            remedy = "A statement changes something: assign the value, or drop the call."
            f.refuse(node, f"{ast.unparse(call.func)} cannot be called as a statement", remedy)
    return True


def _instead_of_call(f: Frame, node: ast.Expr, name: str) -> str:
    if name == "print":
        return "Events are shown in traces: self.emit.note(p, ...)."
    if f.body.pure and node is f.source.node.body[-1]:
        return f"Write return {name}(...)."
    return "Drop it."


def _instead_of_idle(f: Frame, node: ast.expr) -> str:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
        if not f.body.pure:
            return "Write = to assign, or require(...) if it is a guard."
        return "Write return before it, or drop it."
    method = expressions.meaning(f, node) if isinstance(node, ast.Attribute) else None
    if isinstance(method, m.Method):
        return f"Call it: {ast.unparse(node)}({', '.join(n for n, _ in method.method.parameters)})."
    if f.body.pure and node is getattr(f.source.node.body[-1], "value", None):
        return "Write return before it."
    return "Assign it, require it, or drop it."


def _require(f: Frame, node: ast.Call) -> None:
    if f.body.pure:
        f.refuse(
            node, "require(...) in a rule, property or function", "Return a truth value, and require it in the action."
        )
    if f.observer:
        remedy = "A property leaves the model as it is: write an if around what it remembers."
        f.refuse(node, "require(...) in a property", remedy)
    if len(node.args) != 1 or node.keywords:
        f.refuse(node, "require takes one condition", "Join conditions with `and`; a guard has no text.")
    guard = node.args[0]
    parts = guard.values if isinstance(guard, ast.BoolOp) and isinstance(guard.op, ast.And) else [guard]
    for part in parts:
        # a part that constants decide is emitted too: coverage reports such parts, and the compiler removes them
        condition = expressions.test(f, part)
        f.emit(s.Require(part.lineno, condition, f.source.condition(part)))
        if condition == build.FALSE:
            return


@lowering.statement(ast.Assert)
def _assert(f: Frame, node: ast.Assert) -> bool:
    if f.body.pure:
        f.refuse(node, "assert in a rule, property or function", "Assert in the action.")
    text = (
        node.msg.value
        if isinstance(node.msg, ast.Constant) and isinstance(node.msg.value, str)
        else ast.unparse(node.test)
    )
    f.emit(s.Assert(node.lineno, expressions.test(f, node.test), text))
    return not _is_false(node.test)


def _is_false(condition: ast.expr) -> bool:
    """Whether control never continues after this assertion or guard because it is written as false.  If only the
    constants of a configuration make it false, the statements after it are lowered, because other configurations reach
    them.
    """
    return isinstance(condition, ast.Constant) and condition.value is False


@lowering.statement(ast.Return)
def _return(f: Frame, node: ast.Return) -> bool:
    if f.body.pure:
        given = node.value or ast.copy_location(ast.Constant(None), node)
        if f.result == build.BOOL:  # a predicate's value is a condition
            value = expressions.test(f, given)
        else:
            value = expressions.as_value(f, given, expressions.meaning(f, given, f.result))
        type = f.body.grow("return", value.type)
        if type is None:
            f.refuse(node, f"{value.type} is returned here, {f.body.types['return']} elsewhere", "Return one type.")
        f.emit(s.Return(node.lineno, coerce(f, node, value, type)))
    elif node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
        remedy = "Assign what is to be kept, self.x = ...; `return` alone ends the step."
        f.refuse(node, f"{f.source.node.name} returns a value that nobody receives", remedy)
    elif f.label is not None:
        f.body.labels.put(f.label, None)
        f.emit(s.Leave(node.lineno, f.label))
    else:
        f.emit(s.Stop(node.lineno))
    return False


# Branches


@lowering.statement(ast.If)
def _if(f: Frame, node: ast.If) -> bool:
    condition = expressions.test(f, node.test)
    if isinstance(condition, e.Const):
        return block(f, node.body if condition.value else node.orelse)
    outer, lowered, paths = f.names, [], []
    for body in (node.body, node.orelse):
        f.names = dict(outer)
        with f.body.collect() as branch:
            reaches = block(f, body)
        lowered.append(tuple(branch))
        paths.append((f.names, reaches))
    f.names = after_branches(paths)
    f.emit(s.If(node.lineno, condition, lowered[0], lowered[1], _in_words(f, node)))
    return any(reaches for _, reaches in paths)


def _in_words(f: Frame, node: ast.If) -> tuple[str, str, str]:
    """The method, the place and the condition of an `if` of the model; empty for an `if` of the language or of a
    property.
    """
    if f.body.pure or f.observer or is_own(f.source.function.__module__):
        return "", "", ""
    name = f.source.node.name
    return name, f"{name} ({f.source.file}:{node.lineno})", f.source.condition(node.test)


def after_branches(paths: list[tuple[dict[str, Binding], bool]]) -> dict[str, Binding]:
    """The meanings of names after alternatives, each with its names and whether control reaches its end."""
    return merge([names for names, reaches in paths if reaches] or [paths[0][0]])


def merge(paths: list[dict[str, Binding]]) -> dict[str, Binding]:
    """The meanings of names where paths join."""
    result: dict[str, Binding] = {}
    for name in {n: None for path in paths for n in path}:
        bindings = [path.get(name) for path in paths]
        first = bindings[0]
        if all(b == first for b in bindings) and first is not None:
            result[name] = first
        elif any(b is None for b in bindings):
            result[name] = UNASSIGNED
        elif len({b.name if isinstance(b, Stored) else b for b in bindings}) == 1:
            result[name] = next(b for b in bindings if isinstance(b, Stored) and b.value)
        else:
            unclear = AMBIGUOUS if any(isinstance(b, Alias) for b in bindings) else VARIOUS
            result[name] = next((b for b in bindings if isinstance(b, Unclear)), unclear)
    return result


# Loops


@lowering.statement(ast.For)
def _for(f: Frame, node: ast.For) -> bool:
    if node.orelse:
        f.refuse(node.orelse[0], "else after a loop", "Use a local variable that says whether the loop was left.")
    outer = f.names
    f.names = dict(outer)
    try:
        walked = _walked(f, node.iter)
        local, iterable = comprehensions.iteration(f, node.target, node.iter)
        f.record_domain(node, (e.Generator(local, iterable),))
    except Empty:
        f.record_domain(node, ())
        comprehensions.certainly_empty(f)
        f.names = outer
        return True
    _loop_names(f, node.body, node.target)
    with f.body.collect() as lowered, f.loop(node, max(1, comprehensions.count(iterable))):
        comprehensions.settle(f, node.target)
        block(f, node.body)
    iterating.check(f, node, walked, tuple(lowered))
    comprehensions.python_order(f, node.iter, iterable)
    iterating.check_symmetric(f, node, local, iterable, tuple(lowered))
    f.names = merge([outer, f.names])
    f.emit(s.For(node.lineno, local, iterable, tuple(lowered)))
    return True


def _walked(f: Frame, given: ast.expr) -> list[e.Expression]:
    """The collections that a loop iterates.  Operations in the iterable are moved before the loop later, when its
    rounds are lowered.
    """
    with f.body.collect(), suppress(Ended):
        return comprehensions.walked(f, given)
    return []


@lowering.statement(ast.While)
def _while(f: Frame, node: ast.While) -> bool:
    if node.orelse:
        f.refuse(node.orelse[0], "else after a loop", "Use a local variable that says whether the loop was left.")
    outer = f.names
    f.names = dict(outer)
    _loop_names(f, node.body)
    with f.body.lazy():
        condition = expressions.test(f, node.test)
    if condition == build.FALSE:
        f.names = outer
        return True
    if isinstance(node.test, ast.Constant) and condition == build.TRUE and not _leaves(node):
        f.refuse(
            node,
            "this loop never ends",
            "Leave it with break or return, or let it stop on a condition. What waits for others is a guard: "
            "require(...).",
        )
    with f.body.collect() as lowered:
        hoisting, f.body.hoisting = f.body.hoisting, True
        with f.loop(node, lattice.CAPACITY) as left:
            block(f, node.body)
        f.body.hoisting = hoisting
    f.names = merge([outer, f.names])
    if condition == build.TRUE:
        f.names |= _assigned_at_breaks(f, left, _assigned(node.body) - outer.keys())
    f.emit(s.While(node.lineno, condition, tuple(lowered)))
    return condition != build.TRUE or _breaks(node.body)


def _assigned_at_breaks(f: Frame, left: list[dict[str, Binding]], names: set[str]) -> dict[str, Binding]:
    """The names assigned in a loop that have a value at every break.  Before the last round some breaks may not have
    been reached, because types were still too narrow; then all names have a value.
    """
    if not f.body.last():
        return {name: Stored(f.variable(name)) for name in names}
    at_all = merge(left) if left else {}
    return {name: b for name, b in at_all.items() if name in names and isinstance(b, Stored)}


def _leaves(loop: ast.While) -> bool:
    """Whether a statement in a loop can end it: a break or return, or a guard that fails."""
    return any(
        isinstance(n, ast.Break | ast.Return)
        or isinstance(n, ast.Call)
        and isinstance(n.func, ast.Name)
        and n.func.id == "require"
        for n in ast.walk(loop)
    )


def _breaks(body: list[ast.stmt]) -> bool:
    """Whether a break leaves the loop with this body."""
    for statement in body:
        if isinstance(statement, ast.Break):
            return True
        if isinstance(statement, ast.If) and (_breaks(statement.body) or _breaks(statement.orelse)):
            return True
        if isinstance(statement, ast.Match) and any(_breaks(case.body) for case in statement.cases):
            return True
    return False


def _loop_names(f: Frame, body: list[ast.stmt], target: ast.expr | None = None) -> None:
    """From the second round on, a name that the body binds has the value of the round before, so its meaning is
    ambiguous; the names of the loop's own target are bound in each round.
    """
    own = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)} if target is not None else set()
    for name, assigned in _bound(body):
        binding = f.names.get(name)
        if name in own or binding is None:
            continue
        if isinstance(binding, Alias | Known):
            f.names[name] = AMBIGUOUS
        elif isinstance(binding, Stored) and not (assigned and binding.name == f.variable(name)):
            f.names[name] = VARIOUS


def _assigned(body: list[ast.stmt]) -> set[str]:
    """The names that statements assign."""
    return {name for name, assigned in _bound(body) if assigned}


def _bound(node: ast.AST | list[ast.stmt]) -> Iterator[tuple[str, bool]]:
    """The names that statements bind, and whether by assignment; otherwise by a loop or a pattern, which has a local of
    its own.
    """
    match node:
        case list():
            for statement in node:
                yield from _bound(statement)
            return
        case ast.For(target=target):
            yield from ((n.id, False) for n in ast.walk(target) if isinstance(n, ast.Name))
        case ast.MatchAs(name=str() as name):
            yield name, False
        case ast.Name(id=name, ctx=ast.Store()):
            yield name, True
        case ast.comprehension():  # its target is local to the comprehension
            return
    for part in ast.iter_child_nodes(node):
        yield from _bound(part)

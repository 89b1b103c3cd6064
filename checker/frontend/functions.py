"""Rules and helpers.  A method that returns a value must not change the state and becomes a function; a method that
returns no value is a procedure and is inlined.

A function is made once for each combination of argument types; a procedure is inlined at each call, after the
evaluation of its arguments, as in Python.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache

from attrs import evolve

from checker.frontend import assignments, expressions, kinds, lattice, lowering, statements, supported
from checker.frontend import meaning as m
from checker.frontend.arguments import bound
from checker.frontend.bindings import Alias, Binding, Known, Stored
from checker.frontend.callers import Call
from checker.frontend.captures import capture, stable
from checker.frontend.coerce import coerce, temporary
from checker.frontend.places import entries_only
from checker.frontend.program import Program
from checker.frontend.scope import Body, Frame, Incomplete
from checker.frontend.source import Source
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import model as model
from checker.ir import statements as s
from checker.ir import types as t
from checker.language.definition import MethodDefinition
from checker.wording import counted

Argument = e.Expression | m.Meaning


@cache
def returns_value(node: ast.FunctionDef) -> bool:
    """Whether a method returns a value on some path, so that it becomes a function."""
    returned = (n.value for n in ast.walk(node) if isinstance(n, ast.Return))
    return any(v is not None and not (isinstance(v, ast.Constant) and v.value is None) for v in returned)


def call(f: Frame, node: ast.Call, callee: m.Method) -> e.Expression:
    """A function applied to arguments."""
    text = supported.checked(callee.method.function)
    if not returns_value(text.node):
        last, name = text.node.body[-1], callee.method.name
        if isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call | ast.Constant):
            used = f"{f.source.node.name} uses {name} as a value: write return before it."
            raise text.refused(last, "an expression without effect", used)
        remedy = "Return a value on every path, or call it as a statement of its own."
        f.refuse(node, f"{callee.method.name} returns nothing, and is used as a value", remedy)
    in_order = _arguments(f, node, callee.method, text)
    given = [in_order[a.arg] for a in text.parameters]
    for argument in given:
        if isinstance(argument, e.Expression) and lattice.unknown(argument.type):
            raise Incomplete
    before = callee.before or f.before
    function = _instance(f, node, callee, text, given, before)
    values = tuple(a for a in given if isinstance(a, e.Expression))
    result = e.Call(f.program.results.get(function.name, function.result), function.name, values)
    if list(in_order.values()) == given:
        return result
    return build.after([a for a in in_order.values() if isinstance(a, e.Expression)], result)


def _arguments(f: Frame, node: ast.Call, method: MethodDefinition, text: Source) -> dict[str, Argument]:
    """The argument of each parameter, in the order of the call, which is the order of evaluation."""
    names = [a.arg for a in text.parameters]
    shown = f"{method.name}({', '.join(names)})"
    remedy = (
        f"Give one argument for each parameter of {method.name} ({text.file}:{text.node.lineno}), or let an "
        f"override keep the parameters of the base."
    )
    defaults = text.node.args.defaults
    too_many = f"{shown} is given {counted(len(node.args), 'argument')}"
    found = bound(f, node, names, shown, "parameter", too_many, remedy, optional=len(defaults))
    given = {n: (a, f) for n, a in found.items()}
    there = Frame(f.body, text, method.owner, names={})
    for name, default in zip(names[::-1], defaults[::-1]):
        given.setdefault(name, (default, there))
    annotated = dict(method.parameters)
    values: dict[str, Argument] = {}
    for name, (argument, frame) in given.items():  # in the order of the call
        domain = annotated.get(name)
        value = expressions.meaning(frame, argument, domain.ir if domain is not None else None)
        if domain is not None or not isinstance(value, e.Expression | m.TypeName | m.VariantName | m.Literal):
            value = expressions.as_value(frame, argument, value)
        if domain is not None and isinstance(value, e.Expression):
            value = coerce(frame, argument, value, roomy(domain.ir, value.type))
        values[name] = value
    return values


def roomy(annotated: t.Type, given: t.Type) -> t.Type:
    """The annotated type, made large enough for the argument: calling a method checks no bounds."""
    return annotated if lattice.unknown(given) else lattice.join(annotated, given) or annotated


def _call(f: Frame, node: ast.AST, method: MethodDefinition, text: Source, given: Mapping[str, Argument]) -> Call:
    types = {n: str(a.type) for n, a in given.items() if isinstance(a, e.Expression)}
    return Call.of(f.source, node, method, text, types)


# Functions


def _instance(
    f: Frame, node: ast.AST, callee: m.Method, text: Source, given: list[Argument], before: bool
) -> model.Function:
    kinds = tuple(
        ("type", a.type) if isinstance(a, m.TypeName) else a.type if isinstance(a, e.Expression) else a for a in given
    )
    key = (callee.key, kinds, before)
    program = f.program
    if key not in program.functions:
        if callee.key in program.active:
            chain = " -> ".join([*program.active[program.active.index(callee.key) :], callee.key])
            f.refuse(
                node, f"{callee.method.name} calls itself ({chain})", "Recursion is not in the language; write a loop."
            )
        parameters = list(zip([a.arg for a in text.parameters], given))
        name, owner, result = program.name(callee.key), callee.method.owner, declared(callee.method)
        with program.lowering(callee.key), program.called(_call(f, node, callee.method, text, dict(parameters))):
            made = make(program, name, text, owner, parameters, result, before, f.body.step)
        program.add(key, _known(program, callee.key, made))
    return program.functions[key]


def _known(program: Program, key: str, made: model.Function) -> model.Function:
    """An equal function that was made before for arguments of other kinds, else this function."""
    for (other, *_), function in program.functions.items():
        if (
            other == key
            and function is not made
            and evolve(made, name=function.name) == function
            and program.results.get(made.name) == program.results.get(function.name)
        ):
            return function
    return made


def declared(method: MethodDefinition) -> t.Type | None:
    """The type in the annotation of what a method returns."""
    return method.result.ir if method.result else None


def requested(program: Program, name: str, types: tuple[t.Type, ...]) -> model.Function:
    """A rule or helper of the model as a function of arguments of these types, whether or not there is such a call.
    Raises Refused or Incomplete if the method cannot be lowered for these types.
    """
    method, key = program.definition.methods[name], (name, types, False)
    if key not in program.functions:
        text = supported.checked(method.function)
        parameters: list[tuple[str, Argument]] = [
            (a.arg, e.Local(kind, a.arg)) for a, kind in zip(text.parameters, types)
        ]
        with program.lowering(name):
            made = make(program, program.name(name), text, method.owner, parameters, declared(method))
        program.add(key, made)
    return program.functions[key]


def make(
    program: Program,
    name: str,
    text: Source,
    owner: str | None,
    parameters: list[tuple[str, Argument]],
    result: t.Type | None = None,
    before: bool = False,
    step: bool = False,
) -> model.Function:
    """Lower a method as a function.  Each parameter comes with an argument, of which only the type matters, or with a
    meaning that is built in.
    """
    body = Body(program, pure=True, step=step)
    body.used.add("return")
    given = {n: a.type for n, a in parameters if isinstance(a, e.Expression)}
    taken = [model.Parameter(n, kinds.plain(type)) for n, type in given.items()]
    body.used |= set(given)
    for n, type in given.items():
        body.types.put(n, type)
    if result is not None:
        body.types.put("return", result)

    def lower() -> None:
        names: dict[str, Binding] = {n: Stored(n) if isinstance(a, e.Expression) else Known(a) for n, a in parameters}
        frame = Frame(body, text, owner, names=names, before=before)
        body.frames.append(frame)
        if result is not None:
            frame.result = result
        shadow_parameters(frame)
        if statements.block(frame, text.node.body):
            frame.refuse(
                text.node, f"{text.node.name} does not return a value on every path", "End every path with return."
            )

    lowered = body.rounds(lower)
    if "return" not in body.types:
        raise Incomplete
    locals = tuple(model.Parameter(n, body.types[n]) for n in body.declared)
    if body.result is not None:
        program.results[name] = body.result
    return model.Function(name, tuple(taken), locals, body.types["return"], lowered)


def shadow_parameters(f: Frame) -> None:
    """Parameters that the method assigns become variables of their own."""
    for name in sorted(f.source.assigned & set(f.names)):
        if _is_value(f.names[name]):
            local = f.variable(name)
            value = expressions.value(f, ast.copy_location(ast.Name(name, ast.Load()), f.source.node))
            assignments.store(f, f.source.node, local, value)
            f.names[name] = Stored(local, lattice.mutable(value.type))  # the collection may belong to the caller


def _is_value(binding: Binding) -> bool:
    return isinstance(binding, Stored) or isinstance(binding, Known) and isinstance(binding.meaning, e.Expression)


# Procedures


@lowering.called(m.Method)
def perform(f: Frame, node: ast.Call, callee: m.Method) -> None:
    """A procedure called as a statement."""
    text = supported.checked(callee.method.function)
    if callee.method.rule and not returns_value(text.node):
        remedy = "A rule is a function: return a value, or drop @rule."
        f.refuse(node, f"the rule {callee.method.name} returns nothing", remedy)
    if returns_value(text.node):
        remedy = "A method that returns a value changes nothing: use its value, or drop the call."
        f.refuse(node, f"the value of {callee.method.name} is not used", remedy)
    inline(f, node, callee.method, text, _arguments(f, node, callee.method, text), callee.key)


def inline(
    f: Frame,
    node: ast.AST,
    method: MethodDefinition,
    text: Source,
    given: dict[str, Argument],
    key: str,
    observer: bool = False,
) -> None:
    """Lower the body of a procedure in place of its call; given: the arguments in the order of the call."""
    if any(frame.source.function is text.function for frame in f.body.frames):
        f.refuse(node, f"{method.name} calls itself", "Recursion is not in the language; write a loop.")
    path = (*f.key(node, key),)
    names = {name: _parameter(f, node, name, argument) for name, argument in given.items()}
    label = f.body.unique((*path, "label"), method.name)
    inner = Frame(f.body, text, method.owner, path, names, f.before, label, f.observer or observer)
    f.body.frames.append(inner)
    with f.program.called(_call(f, node, method, text, given)):
        block(f, inner, getattr(node, "lineno", 0), label)
    f.body.frames.pop()


def block(f: Frame, inner: Frame, line: int, label: str) -> None:
    """The statements of a method in place; `return` ends them, and not the statements after them."""
    with f.body.collect() as lowered:
        shadow_parameters(inner)
        statements.block(inner, inner.source.node.body)
    if label in f.body.labels:
        f.emit(s.Block(line, label, tuple(lowered)))
    else:
        f.body.out.extend(lowered)


def _parameter(f: Frame, node: ast.AST, name: str, argument: Argument) -> Binding:
    if not isinstance(argument, e.Expression) or stable(f.body, argument):
        return Known(argument)
    if lattice.mutable(argument.type) and entries_only(argument):
        return Alias(capture(f, node, argument, name))
    if not lattice.mutable(argument.type):
        return Stored(temporary(f, node, argument, name).name)
    local = f.body.unique(f.key(node, "given " + name), name)
    assignments.store(f, node, local, argument)
    return Stored(local, assignments.shared(argument))

"""A lowered model as readable text, for tests and debugging.  It is written to be read, not to be parsed."""

from __future__ import annotations

from collections.abc import Iterator

from checker.ir import expressions as e
from checker.ir import model as m
from checker.ir import statements as s
from checker.ir import types as t


def model(model: m.Model) -> str:
    """The whole model."""
    lines = [f"model {model.name}", ""]
    lines += [f"var {v.name}: {type(v.type)}" for v in model.variables]
    for f in model.functions:
        lines += ["", f"function {f.name}({_parameters(f.parameters)}) -> {type(f.result)}", *_body(f.locals, f.body)]
    for action in (model.initial, *model.actions):
        fault = " (fault)" if action.fault else ""
        lines += [
            "",
            f"action {action.name}({_parameters(action.parameters)}){fault}",
            *_body(action.locals, action.body),
        ]
    lines.append("")
    lines += [f"{p.kind} {p.name} = {p.function}()" for p in model.properties]
    lines += [f"constraint {name}()" for name in model.constraints]
    return "\n".join(lines) + "\n"


def _parameters(parameters: tuple[m.Parameter, ...]) -> str:
    return ", ".join(f"{p.name}: {type(p.type)}" for p in parameters)


def _body(locals: tuple[m.Parameter, ...], body: tuple[s.Statement, ...]) -> list[str]:
    return [*(f"    local {p.name}: {type(p.type)}" for p in locals), *("    " + x for x in statements(body))]


def type(type: t.Type) -> str:
    """A type."""
    match type:
        case t.Int(lo, hi):
            return f"{lo}..{hi}"
        case t.Enum(name, _) | t.Ids(name, _, _) | t.Union(name, _):
            return name
        case t.Record(name, fields):
            return name or f"({', '.join(_type(f) for _, f in fields)})"
        case t.Optional(item):
            return f"{_type(item)}?"
        case t.Set(item):
            return f"Set[{_type(item)}]"
        case t.Seq(item, n, grow):
            return f"Seq[{_type(item)}, {n}{'+' if grow else ''}]"
        case t.Bag(item, n, grow):
            return f"Bag[{_type(item)}, {n}{'+' if grow else ''}]"
        case t.Map(key, value):
            return f"Map[{_type(key)}, {_type(value)}]"
        case _:
            return "Bool"


_type = type


def statements(body: tuple[s.Statement, ...]) -> Iterator[str]:
    """Statements, one a line, nested ones indented."""
    for statement in body:
        yield from _statement(statement)


def _statement(node: s.Statement) -> Iterator[str]:
    match node:
        case s.If(_, condition, then, other):
            yield f"if {expression(condition)}:"
            yield from _nested(then)
            if other:
                yield "else:"
                yield from _nested(other)
        case s.For(_, local, iterable, body):
            yield f"for {local.name} in {expression(iterable)}:"
            yield from _nested(body)
        case s.While(_, condition, body):
            yield f"while {expression(condition)}:"
            yield from _nested(body)
        case s.Block(_, label, body):
            yield f"block {label}:"
            yield from _nested(body)
        case _:
            yield _simple(node)


def _nested(body: tuple[s.Statement, ...]) -> Iterator[str]:
    yield from ("    " + line for line in statements(body))


def _simple(node: s.Statement) -> str:
    x = expression
    match node:
        case s.Assign(_, target, value):
            return f"{x(target)} := {x(value)}"
        case s.SetAdd(_, target, item) | s.BagAdd(_, target, item):
            return f"{x(target)} += {x(item)}"
        case s.SetRemove(_, target, item, strict):
            return f"{x(target)} -{'' if strict else '?'}= {x(item)}"
        case s.BagRemove(_, target, item, strict, every):
            return f"{x(target)} -{'' if strict else '?'}= {'every ' if every else ''}{x(item)}"
        case s.SeqAppend(_, target, item):
            return f"{x(target)} append {x(item)}"
        case s.SeqInsert(_, target, index, item):
            return f"{x(target)} insert {x(item)} at {x(index)}"
        case s.SeqRemoveAt(_, target, index):
            return f"{x(target)} remove at {x(index)}"
        case s.Return(_, value):
            return f"return {x(value)}"
        case s.Leave(_, label):
            return f"leave {label}"
        case s.Require(_, condition):
            return f"require {x(condition)}"
        case s.Assert(_, condition, message):
            return f"assert {x(condition)}, {message!r}"
        case s.Fail(_, message):
            return f"fail {message!r}"
        case s.Choose(_, local, iterable):
            return f"choose {local.name} in {x(iterable)}"
        case _:
            return node.__class__.__name__.lower()


def expression(node: e.Expression) -> str:
    """An expression."""
    x = expression
    match node:
        case e.Const(type, value):
            return _constant(type, value)
        case e.Variable(_, name, before):
            return f"before.{name}" if before else name
        case e.Local(_, name):
            return f"%{name}"
        case e.Index(_, base, key, _):
            return f"{x(base)}[{x(key)}]"
        case e.Field(_, base, name):
            return f"{x(base)}.{name}"
        case e.VariantField(_, value, variant, name, _):
            return f"{x(value)}.{variant}.{name}"
        case e.IsVariant(_, value, variant):
            return f"{x(value)} is {variant}"
        case e.And(_, operands) | e.Or(_, operands):
            return "(" + (" and " if isinstance(node, e.And) else " or ").join(map(x, operands)) + ")"
        case e.IfElse(_, condition, then, other):
            return f"({x(then)} if {x(condition)} else {x(other)})"
        case e.Compare(_, op, left, right) | e.SetOperation(_, op, left, right) | e.Arithmetic(_, op, left, right, _):
            return f"({x(left)} {op} {x(right)})"
        case e.Subset(_, left, right, proper):
            return f"({x(left)} {'<' if proper else '<='} {x(right)})"
        case e.Contains(_, container, item):
            return f"({x(item)} in {x(container)})"
        case e.Concat(_, left, right):
            return f"({x(left)} + {x(right)})"
        case e.Slice(_, value, start, stop, _):
            return f"{x(value)}[{x(start) if start else ''}:{x(stop) if stop else ''}]"
        case _:
            return _applied(node)


def _constant(type: t.Type, value: int) -> str:
    if isinstance(type, t.Enum | t.Ids):
        return type.members[value]
    return str(bool(value)) if isinstance(type, t.Bool) else str(value)


def _applied(node: e.Expression) -> str:
    """Expressions written like a call, or with brackets."""
    x = expression
    match node:
        case e.Not(_, value):
            return f"not {x(value)}"
        case e.Some(_, value) | e.Unwrap(_, value, _) | e.Narrow(_, value, _) | e.IsNone(_, value) | e.Length(_, value):
            return f"{node.__class__.__name__.lower()}({x(value)})"
        case e.Ordinal(_, value):
            return f"{x(value)}.index"
        case e.FromOrdinal(type, value, _):
            return f"{_type(type)}[{x(value)}]"
        case e.Count(_, container, item):
            return f"{x(container)}.count({x(item)})"
        case e.MakeRecord(type, fields):
            return f"{_type(type) if isinstance(type, t.Record) and type.name else ''}({', '.join(map(x, fields))})"
        case e.MakeVariant(_, variant, fields):
            return f"{variant}({', '.join(map(x, fields))})"
        case e.MakeSet(_, items):
            return "{" + ", ".join(map(x, items)) + "}"
        case e.MakeSeq(_, items):
            return "[" + ", ".join(map(x, items)) + "]"
        case e.Everywhere(_, value):
            return f"everywhere({x(value)})"
        case e.Domain(t.Set(item)):
            return f"all {_type(item)}"
        case e.Range(_, start, stop):
            return f"{x(start)}..<{x(stop)}"
        case e.After(_, earlier, value):
            return f"after({', '.join(map(x, earlier))}: {x(value)})"
        case e.Call(_, function, arguments):
            return f"{function}({', '.join(map(x, arguments))})"
        case _:
            return _loop(node)


def _loop(node: e.Expression) -> str:
    x = expression
    match node:
        case e.Quantifier(_, op, generators, body):
            return f"{op}({x(body)}{_generators(generators)})"
        case e.Aggregate(_, op, generators, body, default, _):
            return f"{op}({x(body)}{_generators(generators)}{f', default={x(default)}' if default else ''})"
        case e.SetOf(_, generators, body):
            return "{" + x(body) + _generators(generators) + "}"
        case e.SeqOf(_, generators, body, _):
            return f"[{x(body)}{_generators(generators)}]"
        case e.MapOf(_, local, body):
            return "{" + f"%{local.name}: {x(body)}" + "}"
        case e.Sorted(_, value, local, key, reverse):
            by = f", key=%{local.name}: {x(key)}" if local and key else ""
            return f"sorted({x(value)}{by}{', reverse' if reverse else ''})"
        case e.NoneValue():
            return "None"
        case _:
            return "empty bag"


def _generators(generators: tuple[e.Generator, ...]) -> str:
    parts = (
        f" for %{g.local.name} in {expression(g.iterable)}" + "".join(f" if {expression(c)}" for c in g.conditions)
        for g in generators
    )
    return "".join(parts)

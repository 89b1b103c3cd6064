"""A lowered model as readable text, for tests and debugging.  It is written to be read, not to be parsed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    for a in (model.initial, *model.actions):
        fault = " (fault)" if a.fault else ""
        lines += ["", f"action {a.name}({_parameters(a.parameters)}){fault}", *_body(a.locals, a.body)]
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
        case t.Seq(item, n, grow) | t.Bag(item, n, grow):
            return f"{'Seq' if isinstance(type, t.Seq) else 'Bag'}[{_type(item)}, {n}{'+' if grow else ''}]"
        case t.Set() | t.Map():
            return f"{'Set' if isinstance(type, t.Set) else 'Map'}[{', '.join(map(_type, t.parts(type)))}]"
    return "Bool"


_type = type


def statements(body: tuple[s.Statement, ...]) -> Iterator[str]:
    """Statements, one a line, nested ones indented."""
    for node in body:
        yield _text(node)
        inner = node.then if isinstance(node, s.If) else getattr(node, "body", ())
        yield from ("    " + line for line in statements(inner))
        if isinstance(node, s.If) and node.other:
            yield "else:"
            yield from ("    " + line for line in statements(node.other))


def expression(node: e.Expression) -> str:
    """An expression."""
    return _text(node)


FORMS: dict[Any, str] = {
    s.If: "if {condition}:",
    s.For: "for {local.name} in {iterable}:",
    s.While: "while {condition}:",
    s.Block: "block {label}:",
    s.Assign: "{target} := {value}",
    s.SetAdd: "{target} += {item}",
    s.BagAdd: "{target} += {item}",
    s.SeqAppend: "{target} append {item}",
    s.SeqInsert: "{target} insert {item} at {index}",
    s.SeqRemoveAt: "{target} remove at {index}",
    s.Return: "return {value}",
    s.Leave: "leave {label}",
    s.Require: "require {condition}",
    s.Assert: "assert {condition}, {message!r}",
    s.Fail: "fail {message!r}",
    s.Choose: "choose {local.name} in {iterable}",
    e.Local: "%{name}",
    e.Index: "{base}[{key}]",
    e.Field: "{base}.{name}",
    e.VariantField: "{value}.{variant}.{name}",
    e.IsVariant: "{value} is {variant}",
    e.IfElse: "({then} if {condition} else {other})",
    e.Compare: "({left} {operator} {right})",
    e.SetOperation: "({left} {operator} {right})",
    e.Arithmetic: "({left} {operator} {right})",
    e.Contains: "({item} in {container})",
    e.Concat: "({left} + {right})",
    e.Not: "not {value}",
    e.Some: "some({value})",
    e.Unwrap: "unwrap({value})",
    e.Narrow: "narrow({value})",
    e.IsNone: "isnone({value})",
    e.Length: "length({value})",
    e.Ordinal: "{value}.index",
    e.FromOrdinal: "{type}[{value}]",
    e.Count: "{container}.count({item})",
    e.MakeVariant: "{variant}({fields})",
    e.MakeSet: "{{{items}}}",
    e.MakeSeq: "[{items}]",
    e.Everywhere: "everywhere({value})",
    e.Range: "{start}..<{stop}",
    e.After: "after({earlier}: {value})",
    e.Call: "{function}({arguments})",
    e.Quantifier: "{operator}({body}{generators})",
    e.SetOf: "{{{body}{generators}}}",
    e.SeqOf: "[{body}{generators}]",
    e.MapOf: "{{{local}: {body}}}",
    e.NoneValue: "None",
    e.EmptyBag: "empty bag",
}
"""The text of each kind of node, with its fields; `_special` handles nodes that need more."""


class _Fields:
    """The fields of a node as text, looked up by the names that a form has."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __getitem__(self, name: str) -> Any:
        value = getattr(self.node, name)
        if isinstance(value, tuple):
            return ("" if name == "generators" else ", ").join(map(_text, value))
        if isinstance(value, e.Local) and isinstance(self.node, s.Statement) and name == "local":
            return value
        return _text(value) if isinstance(value, e.Expression) else type(value) if isinstance(value, t.Type) else value


def _text(node: Any) -> str:
    form = FORMS.get(node.__class__)
    return _special(node) if form is None else form.format_map(_Fields(node))  # type: ignore[arg-type]


def _special(node: Any) -> str:
    x = _text
    match node:
        case s.SetRemove(_, target, item, strict):
            return f"{x(target)} -{'' if strict else '?'}= {x(item)}"
        case s.BagRemove(_, target, item, strict, every):
            return f"{x(target)} -{'' if strict else '?'}= {'every ' if every else ''}{x(item)}"
        case e.Const(t.Enum(_, members) | t.Ids(_, members), value):
            return members[value]
        case e.Const(type, value):
            return str(bool(value)) if isinstance(type, t.Bool) else str(value)
        case e.Variable(_, name, before):
            return f"before.{name}" if before else name
        case e.And(_, operands) | e.Or(_, operands):
            return "(" + (" and " if isinstance(node, e.And) else " or ").join(map(x, operands)) + ")"
        case e.Subset(_, left, right, proper):
            return f"({x(left)} {'<' if proper else '<='} {x(right)})"
        case e.Slice(_, value, start, stop, _):
            return f"{x(value)}[{x(start) if start else ''}:{x(stop) if stop else ''}]"
        case e.MakeRecord(type, fields):
            return f"{_type(type) if isinstance(type, t.Record) and type.name else ''}({', '.join(map(x, fields))})"
        case e.Domain(t.Set(item)):
            return f"all {_type(item)}"
        case e.Generator(local, iterable, conditions):
            return f" for {x(local)} in {x(iterable)}" + "".join(f" if {x(c)}" for c in conditions)
        case e.Aggregate(_, op, generators, body, default, _):
            over = "".join(map(x, generators))
            return f"{op}({x(body)}{over}{f', default={x(default)}' if default else ''})"
        case e.Sorted(_, value, local, key, reverse):
            by = f", key={x(local)}: {x(key)}" if local and key else ""
            return f"sorted({x(value)}{by}{', reverse' if reverse else ''})"
    return str(node.__class__.__name__.lower())

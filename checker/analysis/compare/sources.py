"""Which parts of two model classes differ as text: methods, variables, types, constants, derived values and plain
attributes.

All methods of a class are compared, inherited ones included, each at the class that defines it.  Two methods are equal
if their source texts are, without docstrings, comments and annotations, and if the values that they read from their
modules are equal: an override that repeats the original is no difference.  Types and derived values are compared as
resolved.  Both sides have the same values for the constants that they share, and an edited default is then a difference
of its own; an earlier version may have its own.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import NoneType
from typing import Any

from checker.analysis.vacuity.uncalled import names
from checker.ir import types as t
from checker.language.constants import fixed
from checker.language.declared import declarations
from checker.language.define import constants_of
from checker.language.definition import Definition, VariableDefinition
from checker.language.domains import unset
from checker.language.model import Mark
from checker.language.types import CHANNELS
from checker.replay.cited import cited, defined_at
from checker.results.comparison import Difference

PLAIN = (bool, int, str, tuple, frozenset, NoneType)


Named = tuple[str, str, str]  # a name, and the text of what it stands for on either side, "" where it is not


def differences(base: Definition, edit: Definition, labels: tuple[str, str]) -> tuple[Difference, ...]:
    """All parts that differ; `labels` name the two sides."""
    named = {
        "constant": _both(_constants(base), _constants(edit)),
        "default": _defaults(base, edit),
        "derived value": _both(_derived(base), _derived(edit)),
        "type": ((n, *_telling(d.ir, edit.types[n].ir, 1)) for n, d in base.types.items() if n in edit.types),
        "variable": _variables(base, edit),
        "attribute": _both(_attributes(base.model), _attributes(edit.model)),
    }
    return (
        *(d for kind, found in named.items() for d in _differing(kind, found)),
        *_methods(base.model, edit.model, labels),
        *_redefined_classes(base, edit, labels),
        *_dropped_classes(base, edit),
        *_differing("parameter", _parameters(base, edit)),
    )


def redefined(base: Definition, edit: Definition) -> Iterator[str]:
    """The names of the properties that both sides have and define differently, methods and classes."""
    methods = (d for d in _methods(base.model, edit.model, ("", "")) if d.kind == "property" and d.before and d.after)
    yield from (d.name for d in (*methods, *_redefined_classes(base, edit, ("", ""))))


def _redefined_classes(base: Definition, edit: Definition, labels: tuple[str, str]) -> Iterator[Difference]:
    """Property classes of one name, listed by both sides, whose definitions differ.  The same class at another
    revision, or in a copy of its file, is the same property.
    """
    listed = {c.__name__: c for c in edit.model.properties}
    for a in base.model.properties:
        b = listed.get(a.__name__, a)
        if a is not b:
            methods = list(_methods(a, b, labels))
            parts = [
                *_differing("kind", [("kind", a.kind, b.kind)]),
                *_differing("attribute", _both(_attributes(a), _attributes(b))),
                *_differing("variable", _variables(base, edit, a.__name__)),
                *methods,
            ]
            if parts:
                before, after = next((m.before for m in methods if m.before), ""), [m.after for m in methods]
                diff = "\n".join(p.diff for p in parts)
                yield Difference("property", a.__name__, before, next(filter(None, after), ""), diff)


def _dropped_classes(base: Definition, edit: Definition) -> Iterator[Difference]:
    """Property classes that the base lists and the edit does not: the edit is not checked with them."""
    listed = {found.__name__ for found in edit.model.properties}
    for found in base.model.properties:
        if found.__name__ not in listed:
            yield Difference("property", found.__name__, found.__name__, "", f"- properties: {found.__name__}")


def _differing(kind: str, named: Iterable[Named]) -> Iterator[Difference]:
    return (Difference(kind, name, a, b, _two_lines(name, a, b)) for name, a, b in named if a != b)


def _both(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Named]:
    for name in dict.fromkeys((*before, *after)):
        a, b = (repr(side[name]) if name in side else "" for side in (before, after))
        yield name, a, b


def _defaults(base: Definition, edit: Definition) -> Iterator[Named]:
    """Constants of both with another default, where both sides run with the same value all the same."""
    declared = [constants_of(d.model) for d in (base, edit)]
    alike = (n for n in declared[0] if n in declared[1] and base.constants[n] == edit.constants[n])
    for name in alike:
        a, b = (repr(fixed(c[name].default, d.values)) for c, d in zip(declared, (base, edit)))
        yield name, a, b


def _constants(definition: Definition) -> dict[str, Any]:
    """The constants; with the order of channels, also where every network has its own."""
    return {**{n: v for n, v in definition.derived.items() if n == CHANNELS}, **definition.constants}


def _derived(definition: Definition) -> dict[str, Any]:
    return {n: v for n, v in definition.derived.items() if n != CHANNELS}


def _attributes(cls: type) -> dict[str, Any]:
    """Plain values that a class body assigns."""
    return {name: value for name, value in declarations(cls) if isinstance(value, PLAIN) and not name.startswith("_")}


def _variables(base: Definition, edit: Definition, owner: str | None = None) -> Iterator[Named]:
    """The variables of the models, or of a property class of this name."""
    sides = [{v.name: v for v in d.variables if v.owner == owner} for d in (base, edit)]
    for name in dict.fromkeys((*sides[0], *sides[1])):
        before, after = (side.get(name) for side in sides)
        if before is None or after is None:
            a, b = (_declared(v, "" if v is None else type_text(v.domain.ir)) for v in (before, after))
        else:
            a, b = (_declared(v, text) for v, text in zip((before, after), _telling(before.domain.ir, after.domain.ir)))
            if before.local != after.local:
                kept = ("reset" if v.local else "kept" for v in (before, after))
                a, b = (f"{text}, {what} when its process crashes" for text, what in zip((a, b), kept))
        yield name, a, b


def _declared(variable: VariableDefinition | None, kind: str) -> str:
    if variable is None:
        return ""
    unstarted = variable.network is not None or variable.initial is unset
    return kind if unstarted else f"{kind}, starts as {variable.initial!r}"


def _parameters(base: Definition, edit: Definition) -> Iterator[Named]:
    """Parameters of actions for which the edit declares other types, so that the action is tried with other values."""
    actions = {a.name: a for a in base.actions if a.kind == "action"}
    for action in edit.actions:
        before = actions.get(action.name)
        if before is None or action.kind != "action" or action.function is before.function:
            continue
        for p, q in zip(before.parameters, action.parameters):
            if p.name == q.name:
                yield f"{action.name}({p.name})", *_telling(p.domain.ir, q.domain.ir)


MEMBERS = 2


def _telling(a: t.Type, b: t.Type, least: int = 0) -> tuple[str, str]:
    """Two types in words that distinguish them if they differ: as written, with the number of identities, or with all
    their members.
    """
    every = [(type_text(a, detail), type_text(b, detail)) for detail in range(least, MEMBERS + 1)]
    return next((texts for texts in every if texts[0] != texts[1]), every[0])


def type_text(type: t.Type, detail: int = 0) -> str:
    """A type as a modeller writes it, records and unions with their fields.  detail: 1 for identities with their
    number, 2 with their names.
    """

    def text(inner: t.Type) -> str:
        return type_text(inner, detail)

    match type:
        case t.Int(lo, hi):
            return f"Int({lo}, {hi})"
        case t.Enum(name, names) | t.Ids(name, names, _):
            return (name, f"{name} ({len(names)})", f"{name} ({', '.join(names)})")[detail]
        case t.Optional(item):
            return f"Optional[{text(item)}]"
        case t.Record(name, fields):
            return f"{name}({', '.join(f'{n}: {text(f)}' for n, f in fields)})"
        case t.Union(_, variants):
            return " | ".join(map(text, variants))
        case t.Map() | t.Set():
            return f"{type.__class__.__name__}[{', '.join(map(text, t.parts(type)))}]"
        case t.Seq(item, capacity, grow) | t.Bag(item, capacity, grow):
            return f"{type.__class__.__name__}[{text(item)}{'' if grow else f', {capacity}'}]"
    return "Bool"


def _two_lines(name: str, a: str, b: str) -> str:
    return "\n".join(f"{sign} {name}: {text}" for sign, text in (("-", a), ("+", b)) if text)


def _methods(base: type, edit: type, labels: tuple[str, str]) -> Iterator[Difference]:
    before, after = ({n: f for n, f in declarations(cls) if inspect.isfunction(f)} for cls in (base, edit))
    for name in dict.fromkeys((*before, *after)):
        a, b = before.get(name), after.get(name)
        if a is b:
            continue
        if a is not None and b is not None and _same(a, b):
            values = "\n".join(_two_lines(n, *pair) for n, pair in _values(a, b))
            if values:
                yield Difference(kind_of(edit, name), name, _where(a), _where(b), values)
            continue
        texts = (_source(a), _source(b)) if a is None or b is None else (_bare(a, b), _bare(b, a))
        lines = difflib.unified_diff(*texts, f"{labels[0]} {_where(a)}", f"{labels[1]} {_where(b)}", lineterm="")
        yield Difference(kind_of(edit if b is not None else base, name), name, _where(a), _where(b), "\n".join(lines))


def kind_of(cls: type, name: str) -> str:
    """The kind of a method: that of the nearest decorator among the class and its ancestors."""
    for ancestor in cls.__mro__:
        mark = getattr(vars(ancestor).get(name), "__checker__", None)
        if isinstance(mark, Mark):
            own = mark.kind in ("rule", "action", "initial", "constraint")
            return mark.kind if own else "handler" if mark.kind == "receive" else "property"
    return "helper"


def _source(function: Callable[..., Any] | None) -> list[str]:
    return [] if function is None else textwrap.dedent(inspect.getsource(function)).splitlines()


def _same(a: Callable[..., Any], b: Callable[..., Any]) -> bool:
    """Whether two methods are equal: their syntax trees without docstring and annotations.  Decorators are inherited
    where none is written.
    """
    one, other = core(a), core(b)
    if not (one.decorator_list and other.decorator_list):
        one.decorator_list = other.decorator_list = []
    return ast.dump(one) == ast.dump(other)


def _values(a: Callable[..., Any], b: Callable[..., Any]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Names of their modules that both methods read and whose values differ between the sides: numbers, texts and the
    like.
    """
    for name in sorted({*names(a.__code__)} & {*names(b.__code__)}):
        values = [f.__globals__.get(name, unset) for f in (a, b)]
        if all(isinstance(v, PLAIN) for v in values) and values[0] != values[1]:
            yield name, (repr(values[0]), repr(values[1]))


def core(function: Callable[..., Any]) -> ast.FunctionDef:
    tree = _tree(function)
    if _documented(tree):
        tree.body = tree.body[1:] or [ast.Pass()]
    tree.returns = None
    for argument in tree.args.args:
        argument.annotation = None
    return tree


def _tree(function: Callable[..., Any]) -> ast.FunctionDef:
    tree = ast.parse("\n".join(_source(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


def _documented(tree: ast.FunctionDef) -> bool:
    return bool(tree.body) and isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant)


def _bare(function: Callable[..., Any], other: Callable[..., Any]) -> list[str]:
    """The source without docstring, annotations, and decorators that the other method inherits."""
    tree, bare, lines = _tree(function), core(function), _source(function)
    first = tree.body[1] if _documented(tree) and len(tree.body) > 1 else tree.body[0]
    decorators = [f"@{ast.unparse(d)}" for d in tree.decorator_list] if _tree(other).decorator_list else []
    body = lines[first.lineno - 1 :] if first.lineno > tree.lineno else [f"    {ast.unparse(first)}"]
    return [*decorators, f"def {tree.name}({ast.unparse(bare.args)}):", *body]


def _where(function: Callable[..., Any] | None) -> str:
    return f"{function.__qualname__}{cited(defined_at(function))}" if function is not None else ""

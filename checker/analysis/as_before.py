"""Properties as they were before a change, for the model of today: with the helpers, values and constants of then.

A property says less, too, where its own text is the same and a helper method that it calls, or a constant that it
reads, is another one.  Such a property is written again from its former text: its helpers under other names, so that
the actions of today call theirs, and constants as the values that they had.  Rules are no helpers: a property that
calls a rule asks about the protocol, and calls that of today.

Where it stops: a method that calls `super()` is not written again; a line then says that the property was not asked.
"""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any

from attrs import frozen

from checker.analysis.compare.properties import FORMER, decorated, deriving, misfit, told_of
from checker.analysis.compare.same_enumerations import enumerations, with_enumerations
from checker.analysis.compare.sources import PLAIN, core, kind_of
from checker.analysis.vacuity.uncalled import names
from checker.language.declared import declarations
from checker.language.definition import Definition
from checker.language.errors import Undecided
from checker.language.model import Model
from checker.language.places import is_own

Function = Callable[..., Any]
_PROPERTY, _HELPER, _CONSTANT = "property ", "helper ", "constant "
_written = count()


def read_otherwise(before: Definition, now: Definition, name: str) -> tuple[str, ...]:
    """What a property of both reads, directly or through helpers, that differs: names, and the former constants."""
    mine, theirs = (_read(side, _functions(side, name)) for side in (before, now))
    found = [key for key in dict.fromkeys((*mine, *theirs)) if mine.get(key) != theirs.get(key)]
    return tuple(_told(key, mine.get(key, "")) for key in found if not key.startswith(_PROPERTY))


def _told(key: str, was: str) -> str:
    kind, _, name = key.partition(" ")
    return f"{name} (it was {was})" if f"{kind} " == _CONSTANT and was else name


def as_before(before: Definition, now: Definition, asked: Iterable[str]) -> tuple[type[Model], dict[str, str]]:
    """The model of today with these properties as they were, under their names behind FORMER; and why others do not
    fit it.
    """
    model, unfit, known = now.model, dict[str, str](), enumerations(now.model)
    for name in asked:
        try:
            more = _with_former(model, name, before, now, known)
            why = misfit(more, now.constants)
        except Undecided as error:
            why = error.message
        if why:
            unfit[name] = why
        else:
            model = more
    return model, unfit


def _with_former(
    model: type[Model], name: str, before: Definition, now: Definition, known: Mapping[str, Any]
) -> type[Model]:
    """known: the enumerations of today's model."""
    found = next((one for one in before.model.properties if one.__name__ == name), None)
    helpers, classes = dict[str, Function](), list(model.properties)
    if found is None:
        function = decorated(before.model, name, dict(declarations(before.model))[name])
        methods = {f"{FORMER}{name}": _Former(before, now).again(function, helpers), **helpers}
        return deriving(model, classes, {n: with_enumerations(f, known) for n, f in methods.items()})
    parts = {n: f for n, f in declarations(found) if inspect.isfunction(f) and not is_own(f.__module__)}
    writer = _Former(before, now, frozenset(n for n, _ in declarations(found)))
    methods = {n: with_enumerations(writer.again(f, helpers), known) for n, f in parts.items()}
    former = type(f"{FORMER}{name}", (found,), {**told_of(found), **methods})
    return deriving(model, [*classes, former], {n: with_enumerations(f, known) for n, f in helpers.items()})


def _functions(side: Definition, name: str) -> dict[str, Function]:
    """The methods of a property, under keys that both sides have."""
    found = next((one for one in side.model.properties if one.__name__ == name), None)
    if found is None:
        method = dict(declarations(side.model)).get(name)
        return {f"{_PROPERTY}{name}": method} if inspect.isfunction(method) else {}
    return {f"{_PROPERTY}{n}": f for n, f in declarations(found) if inspect.isfunction(f)}


def _read(side: Definition, functions: Mapping[str, Function]) -> dict[str, str]:
    """What methods are and read, as texts: helpers, and those that these call; values."""
    found: dict[str, str] = {}
    waiting = list(functions.items())
    while waiting:
        key, function = waiting.pop()
        if key not in found:
            found[key] = text_of(function)
            waiting += _called(side, function)
            found |= _values(side, function)
    return found


def text_of(function: Function) -> str:
    """The syntax of a method without docstring, annotations and decorators."""
    tree = core(function)
    tree.decorator_list = []
    return ast.dump(tree)


def _called(side: Definition, function: Function) -> Iterator[tuple[str, Function]]:
    for name in names(function.__code__):
        if (helper := _helper(side, name)) is not None:
            yield f"{_HELPER}{name}", helper


def _values(side: Definition, function: Function) -> Iterator[tuple[str, str]]:
    for name in names(function.__code__):
        if name in side.values:
            yield f"{_CONSTANT}{name}", repr(side.values[name])
        elif isinstance(value := function.__globals__.get(name, ...), PLAIN):
            yield f"value {name}", repr(value)


def _helper(side: Definition, name: str) -> Function | None:
    """The helper method of a model with that name."""
    found = getattr(side.model, name, None)
    own = not inspect.isfunction(found) or is_own(found.__module__) or kind_of(side.model, name) != "helper"
    return None if own else found


@frozen
class _Former:
    """Writes former methods again for the model of today.  own: the names that the property has itself."""

    before: Definition
    now: Definition
    own: frozenset[str] = frozenset()

    def again(self, function: Function, helpers: dict[str, Function], name: str = "") -> Function:
        """The method, with the helpers and constants that it had.  helpers: gets those that it calls, by new names."""
        used = [n for n in names(function.__code__) if n not in self.own]
        called = {n: helper for n in used if (helper := _helper(self.before, n)) is not None}
        values = {n: self.before.values[n] for n in used if n in self.before.values and self._differs(n)}
        if not called and not values and not name:
            return function
        if function.__closure__:
            raise Undecided(f"{function.__name__} calls super()")
        copy = _compiled(function, partial(_Renamed, frozenset(called), values), name or function.__name__)
        for n, helper in called.items():
            if _name(n) not in helpers:
                helpers[_name(n)] = helper  # one that calls itself is written once
                helpers[_name(n)] = self.again(helper, helpers, _name(n))
        return copy

    def _differs(self, name: str) -> bool:
        return repr(self.before.values[name]) != repr(self.now.values.get(name, ...))


def _name(helper: str) -> str:
    return f"former_{helper}"


class _Renamed(ast.NodeTransformer):
    """Attributes of `self`: former helpers by their new names, and constants as values."""

    def __init__(self, helpers: frozenset[str], values: Mapping[str, Any], self_name: str) -> None:
        self.helpers, self.values, self.self_name = helpers, values, self_name

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == self.self_name:
            if node.attr in self.helpers:
                node.attr = _name(node.attr)
            elif node.attr in self.values:
                return ast.parse(repr(self.values[node.attr]), mode="eval").body
            return node
        self.generic_visit(node)
        return node


def _compiled(function: Function, renamed: Callable[[str], ast.NodeTransformer], name: str) -> Function:
    """The function from its changed tree, with the globals, annotations and mark of the original."""
    tree = core(function)
    tree.decorator_list = []
    tree.name = name
    tree = renamed(tree.args.args[0].arg).visit(tree)
    text, file = ast.unparse(ast.fix_missing_locations(tree)) + "\n", f"<{FORMER}{function.__name__} {next(_written)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    made: dict[str, Any] = {}
    flags = __future__.annotations.compiler_flag
    exec(compile(text, file, "exec", flags, dont_inherit=True), function.__globals__, made)  # noqa: S102
    copy: Function = made[name]
    copy.__annotations__ = function.__annotations__
    copy.__defaults__ = function.__defaults__
    copy.__module__, copy.__doc__ = function.__module__, function.__doc__
    if hasattr(function, "__checker__"):
        copy.__checker__ = function.__checker__  # type: ignore[attr-defined]
    return copy

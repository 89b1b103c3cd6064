"""Places in source files, for messages: of a class, of a declaration in a class body, of a method.

Python keeps the lines of functions only; classes and their attributes are found in the syntax tree of the file.  Each
file is parsed once, and again when its text has changed.  Where it stops: an object that was made at run time, or typed
into a plain Python prompt, has no place, and a message about it names none.
"""

from __future__ import annotations

import ast
import copy
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve

from checker.frozen import frozen
from checker.language.errors import UsageError

PACKAGE = Path(__file__).resolve().parent.parent
"""Where the checker's own modules lie."""


@frozen
class Place:
    """A line of a file, and the text in it."""

    file: str
    line: int
    fragment: str


_parsed: dict[str, tuple[list[str], ast.Module]] = {}


def is_text(node: ast.stmt) -> bool:
    """Whether a statement is a text and nothing else, such as a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def tree(filename: str) -> ast.Module | None:
    """The syntax tree of a file; None if there is no such file or it is not Python."""
    lines = linecache.getlines(filename)
    if not lines:
        return None
    known, module = _parsed.get(filename, ([], None))
    if known is not lines and known != lines:  # the same list unless the file was read again
        try:
            module = ast.parse("".join(lines))
        except SyntaxError:
            return None
        _parsed[filename] = lines, module
    return module


class _AsAPersonWrites(ast.NodeTransformer):
    """A generator that is the only argument of a call loses the parentheses that `ast.unparse` gives it."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        inner = self.generic_visit(node)
        match inner:
            case ast.Call(function, [ast.GeneratorExp() as items], []):
                return ast.Name(f"{ast.unparse(function)}{ast.unparse(items)}", ast.Load())
        return inner


def written(node: ast.AST) -> str:
    """The source text of a node, for messages: `sum(x for x in s)`, where `ast.unparse` gives `sum((x for x in s))`."""
    return written_over(copy.deepcopy(node))


def written_over(node: ast.AST) -> str:
    """As `written`, of a tree that nobody else has, and that may be changed."""
    return ast.unparse(_AsAPersonWrites().visit(node))


PARTS = ("body", "handlers", "orelse", "finalbody", "cases")
"""Where a statement or a file has statements, or parts with statements."""


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements in a statement or a file, outer ones first."""
    for part in PARTS:
        for inner in getattr(node, part, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from statements(inner)


_statements: dict[ast.Module, dict[int, int]] = {}


def statement_line(filename: str, line: int) -> int:
    """The first line of the innermost statement in a line of a file: Python and the syntax tree name different lines of
    a statement of several lines.
    """
    module = tree(filename)
    if module is None:
        return line
    if module not in _statements:
        lines = _statements[module] = {}
        for node in statements(module):
            lines.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno))
    return _statements[module].get(line, line)


_functions: dict[ast.Module, dict[int, ast.FunctionDef]] = {}


def function_node(function: Callable[..., Any]) -> ast.FunctionDef | None:
    """A function in the tree of its file, found by its first line, which is that of its first decorator."""
    code, module = function.__code__, tree(function.__code__.co_filename)
    if module is None:
        return None
    if module not in _functions:
        found = (n for n in statements(module) if isinstance(n, ast.FunctionDef))
        _functions[module] = {min([n.lineno, *(d.lineno for d in n.decorator_list)]): n for n in found}
    node = _functions[module].get(code.co_firstlineno)
    return node if node is not None and node.name == code.co_name else None


def file_of(cls: type) -> str | None:
    """The file of a class: that of its methods, else of its module."""
    for value in vars(cls).values():
        code = getattr(value, "__code__", None)
        if code is not None and getattr(value, "__qualname__", "").startswith(cls.__qualname__ + "."):
            return str(code.co_filename)
    return getattr(sys.modules.get(cls.__module__), "__file__", None)


def is_own(module: str) -> bool:
    """Whether a module belongs to the checker itself, without its shipped models and properties."""
    parts = module.split(".")
    return parts[0] == "checker" and parts[1:2] not in (["models"], ["properties"])


_classes: dict[ast.Module, dict[str, ast.ClassDef]] = {}


def class_node(cls: type) -> ast.ClassDef | None:
    """The class statement of a class."""
    file = file_of(cls)
    module = tree(file) if file else None
    if module is None:
        return None
    if module not in _classes:
        _classes[module] = dict(_named("", module))
    return _classes[module].get(cls.__qualname__)


def _named(path: str, node: ast.AST) -> Iterator[tuple[str, ast.ClassDef]]:
    """The class statements below a node, by Python's names of the classes; of one name the last counts."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield f"{path}{child.name}", child
            yield from _named(f"{path}{child.name}.", child)
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _named(f"{path}{child.name}.<locals>.", child)
        elif not isinstance(child, ast.expr):  # which holds no statement
            yield from _named(path, child)


def bindings(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The names that the statements of a class body bind, with the statement, in order."""
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, statement
            case ast.Assign(targets=targets):
                names = [
                    n
                    for target in targets
                    for n in ast.walk(target)
                    if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
                ]
                yield from ((n.id, statement) for n in names)
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, statement


def of_node(file: str, node: ast.AST) -> Place:
    """The place of a part of a file: its first line after decorators."""
    line = getattr(node, "lineno", 1)
    return Place(file, line, linecache.getline(file, line).strip())


def of_class(cls: type) -> Place | None:
    """Where a class is written."""
    node, file = class_node(cls), file_of(cls)
    return of_node(file, node) if node is not None and file is not None else None


def of_attribute(cls: type, name: str) -> Place | None:
    """Where a class, or the base from which it inherits the attribute, declares an attribute."""
    for base in cls.__mro__:
        if name in vars(base):
            node, file = class_node(base), file_of(base)
            found = [s for n, s in bindings(node.body) if n == name] if node is not None else []
            return of_node(file, found[-1]) if found and file is not None else None
    return None


def of_function(function: Callable[..., Any]) -> Place:
    """Where a function is written: its `def`, not its decorators."""
    code = function.__code__
    for line in range(code.co_firstlineno, code.co_firstlineno + 20):
        text = linecache.getline(code.co_filename, line).strip()
        if text.startswith((f"def {code.co_name}", f"async def {code.co_name}")) or code.co_name == "<lambda>":
            return Place(code.co_filename, line, text)
    return Place(code.co_filename, code.co_firstlineno, "")


def at(place: Place | None, message: str, remedy: str | None = None) -> UsageError:
    """An error with this place, if there is one."""
    if place is None:
        return UsageError(message, remedy=remedy)
    return UsageError(message, place.file, place.line, remedy, place.fragment)


@contextmanager
def located(place: Callable[[], Place | None]) -> Iterator[None]:
    """Give this place to a UsageError raised inside that has no place yet."""
    try:
        yield
    except UsageError as error:
        where = place() if error.file is None else None
        if where is None:
            raise
        raise evolve(error, file=where.file, line=where.line, fragment=where.fragment) from None

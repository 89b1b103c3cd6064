"""Where something stands in a source file, for messages: a class, what a class body declares, a method.

Python keeps the lines of functions only; classes and their attributes are found in the syntax tree of the file.  Each
file is parsed once, and again when its text has changed.  Where it stops: what was made at run time, or typed into a
plain Python prompt, has no place, and a message about it names none.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from checker.language.errors import UsageError

PACKAGE = Path(__file__).resolve().parent.parent
"""Where the checker's own modules lie."""


@frozen
class Place:
    """A line of a file, and the text that stands there."""

    file: str
    line: int
    fragment: str


_parsed: dict[str, tuple[int, ast.Module]] = {}


def tree(filename: str) -> ast.Module | None:
    """The syntax tree of a file; None if there is no such file or it is not Python."""
    text = "".join(linecache.getlines(filename))
    if not text:
        return None
    if filename not in _parsed or _parsed[filename][0] != hash(text):
        try:
            _parsed[filename] = (hash(text), ast.parse(text))
        except SyntaxError:
            return None
    return _parsed[filename][1]


_statements: dict[ast.Module, dict[int, int]] = {}


def statement_line(filename: str, line: int) -> int:
    """The first line of the innermost statement that stands in a line of a file: Python and the syntax tree name
    different lines of a statement of several."""
    module = tree(filename)
    if module is None:
        return line
    if module not in _statements:
        lines = _statements[module] = {}
        for node in ast.walk(module):  # outer statements come first
            if isinstance(node, ast.stmt):
                lines.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno))
    return _statements[module].get(line, line)


def file_of(cls: type) -> str | None:
    """The file that a class is written in: that of its methods, else of its module."""
    for value in vars(cls).values():
        code = getattr(value, "__code__", None)
        if code is not None and getattr(value, "__qualname__", "").startswith(cls.__qualname__ + "."):
            return str(code.co_filename)
    return getattr(sys.modules.get(cls.__module__), "__file__", None)


def is_own(module: str) -> bool:
    """Whether a module is of the checker itself, and none of the models and properties that it ships."""
    parts = module.split(".")
    return parts[0] == "checker" and parts[1:2] not in (["models"], ["properties"])


def class_node(cls: type) -> ast.ClassDef | None:
    """The class statement of a class."""
    file = file_of(cls)
    module = tree(file) if file else None
    found: ast.ClassDef | None = None
    pending: list[tuple[str, ast.AST]] = [("", module)] if module else []
    while pending:
        path, node = pending.pop(0)
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                inner = f"{path}{child.name}." if isinstance(child, ast.ClassDef) else f"{path}{child.name}.<locals>."
                if isinstance(child, ast.ClassDef) and f"{path}{child.name}" == cls.__qualname__:
                    found = child
            pending.append((inner, child))
    return found


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
    """The place of a part of a file: the line that says what it is, behind decorators."""
    line = getattr(node, "lineno", 1)
    return Place(file, line, linecache.getline(file, line).strip())


def of_class(cls: type) -> Place | None:
    """Where a class is written."""
    node, file = class_node(cls), file_of(cls)
    return of_node(file, node) if node is not None and file is not None else None


def of_attribute(cls: type, name: str) -> Place | None:
    """Where a class, or the base that it has the attribute from, declares an attribute."""
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
    """An error with its place, if it has one."""
    return (
        UsageError(message, remedy=remedy)
        if place is None
        else UsageError(message, place.file, place.line, remedy, place.fragment)
    )


@contextmanager
def located(place: Callable[[], Place | None]) -> Iterator[None]:
    """Gives this place to a UsageError raised inside that has none yet."""
    try:
        yield
    except UsageError as error:
        where = place() if error.file is None else None
        if where is None:
            raise
        raise evolve(error, file=where.file, line=where.line, fragment=where.fragment) from None

"""Which parts of a module differ between two texts of it: members of its classes, and what stands beside them.

Compared is the syntax, without comments and docstrings; a member is what one statement of a class body binds.  So a
change is named as a modeller thinks of it: the rule stands_before, not the file.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from checker.language.properties import Property
from checker.results.review import EXPECTED, HEAD, LISTING, Part

Members = dict[str, tuple[str, int]]  # text without comments, and line
NAMES = {"expect": EXPECTED, "properties": LISTING}


def changed_parts(old: str, new: str, separate: frozenset[str], module: ModuleType, file: str) -> tuple[Part, ...]:
    """The parts that differ; separate: the classes whose members count one by one."""
    before, now = _body(old), _body(new)
    found: list[Part] = []
    for node in now.values():
        name = getattr(node, "name", "")
        if isinstance(node, ast.ClassDef) and name in separate:
            found += _of_class(before.get(name), node, vars(module).get(name), file)
    found += _beside(before, now, separate, file)
    return tuple(found)


def in_force(part: Part, owner: type, cls: type) -> bool:
    """Whether a class uses the part of one of its bases: nothing below overrides it without calling it."""
    if part.kind == EXPECTED:
        return owner is cls
    if not issubclass(cls, owner) or part.new and part.name == part.owner:
        return True
    below = cls.__mro__[: cls.__mro__.index(owner)]
    overriding = [vars(c)[part.name] for c in below if part.name in vars(c)]
    return all(inspect.isfunction(f) and "super" in f.__code__.co_names for f in overriding)


def without_docstrings(text: str) -> ast.Module:
    """The syntax of a module without the texts that document it."""
    tree: ast.Module = _WithoutDocstrings().visit(ast.parse(text))
    return tree


def _body(text: str) -> dict[str, ast.stmt]:
    """The statements of a module but its imports, by the names that they bind."""
    statements = without_docstrings(text).body
    return {_bound(node): node for node in statements if not isinstance(node, ast.Import | ast.ImportFrom)}


def _of_class(old: ast.stmt | None, new: ast.ClassDef, cls: Any, file: str) -> Iterator[Part]:
    is_property = isinstance(cls, type) and issubclass(cls, Property)
    if not isinstance(old, ast.ClassDef):
        yield Part("property" if is_property else "model", new.name, new.name, file, new.lineno, new=True)
        return
    before, now = _members(old), _members(new)
    differing = [n for n in {**now, **before} if before.get(n, ())[:1] != now.get(n, ())[:1]]
    if is_property:
        lines = [now[name][1] for name in differing if name in now]
        if differing:
            yield Part("property", new.name, new.name, file, min(lines, default=new.lineno))
        return
    for name in differing:
        line = now[name][1] if name in now else new.lineno
        changed = _first_difference(old, new, name)
        yield Part(_kind(cls, name), name, new.name, file, line, new=name not in before, changed=changed)


def _first_difference(old: ast.ClassDef, new: ast.ClassDef, name: str) -> int:
    """The first line that differs in a member of a class; 0 if it is in one of the two only."""
    before, now = ([item for item in node.body if _bound(item) == name] for node in (old, new))
    return _line_of_difference(before[-1], now[-1]) if before and now else 0


def _line_of_difference(old: ast.AST, new: ast.AST) -> int:
    """The line of the first innermost part of two trees that differs, else 0; what is only in the old one has the line
    of what is around it."""
    below = list(zip(ast.iter_child_nodes(old), ast.iter_child_nodes(new), strict=False))
    line = getattr(new, "lineno", 0)
    if type(old) is not type(new) or len(list(ast.iter_child_nodes(old))) != len(list(ast.iter_child_nodes(new))):
        below = [pair for pair in below if isinstance(new, ast.FunctionDef | ast.If | ast.For | ast.While)]
    found = (_line_of_difference(a, b) or line for a, b in below if ast.dump(a) != ast.dump(b))
    return next(found, line)


def _beside(
    before: dict[str, ast.stmt], now: dict[str, ast.stmt], separate: frozenset[str], file: str
) -> Iterator[Part]:
    """Functions, constants and other classes of the module."""
    for name in dict.fromkeys((*now, *before)):
        old, new = before.get(name), now.get(name)
        if name in separate or (old and ast.dump(old)) == (new and ast.dump(new)):
            continue
        kind = {ast.FunctionDef: "function", ast.ClassDef: "class"}.get(type(new or old), "value")
        yield Part(kind, name, "", file, 1 if new is None else new.lineno, new=old is None)


def _members(node: ast.ClassDef) -> Members:
    head = " ".join(ast.dump(part) for part in (*node.bases, *node.keywords, *node.decorator_list))
    inside = {_bound(item): (ast.dump(item), item.lineno) for item in node.body}
    return {HEAD: (head, node.lineno), **inside}


def _bound(node: ast.stmt) -> str:
    """What a statement gives a name to; of others their text."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    return ", ".join(names) or ast.unparse(node)


def _kind(cls: Any, name: str) -> str:
    """What kind of member of a model it is, by its own mark or that of what it overrides."""
    if name in NAMES or name == HEAD:
        return NAMES.get(name, HEAD)
    held = [vars(c)[name] for c in getattr(cls, "__mro__", ()) if name in vars(c)]
    marks = (getattr(value, "__checker__", None) for value in held)
    kind = next((mark.kind for mark in marks if mark is not None), None)
    return kind or ("method" if any(inspect.isfunction(value) for value in held) else "declaration")


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

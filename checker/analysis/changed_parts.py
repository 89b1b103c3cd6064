"""Which parts of a module differ between two texts of it: members of its classes, and statements beside the classes.

The comparison is of the syntax, without comments and docstrings.  A member is the name that one statement of a class
body binds.  A change is therefore named in the modeller's terms: the rule stands_before, not the file.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from checker.language.properties import Property
from checker.results.review import EXPECTED, HEAD, LISTING, Part

Members = dict[str, tuple[str, int]]  # text without comments, and line
SHORT = 60  # characters of both values of a name
NAMES = {"expect": EXPECTED, "properties": LISTING}


def changed_parts(old: str, new: str, separate: frozenset[str], module: ModuleType, file: str) -> tuple[Part, ...]:
    """The parts that differ.  separate: the classes whose members count separately."""
    before, now = _body(old), _body(new)
    found: list[Part] = []
    for node in now.values():
        name = getattr(node, "name", "")
        if isinstance(node, ast.ClassDef) and name in separate:
            found += _of_class(before.get(name), node, vars(module).get(name), file, (old, new))
    found += _beside(before, now, separate, file, (old, new))
    return tuple(found)


def in_force(part: Part, owner: type, cls: type) -> bool:
    """Whether a class uses the part of one of its bases: no class below it overrides the part without calling it."""
    if part.kind == EXPECTED:
        return owner is cls
    if not issubclass(cls, owner) or part.new and part.name == part.owner:
        return True
    below = cls.__mro__[: cls.__mro__.index(owner)]
    overriding = [vars(c)[part.name] for c in below if part.name in vars(c)]
    return all(inspect.isfunction(f) and "super" in f.__code__.co_names for f in overriding)


def without_docstrings(text: str) -> ast.Module:
    """The syntax of a module without docstrings."""
    tree: ast.Module = _WithoutDocstrings().visit(ast.parse(text))
    return tree


def _body(text: str) -> dict[str, ast.stmt]:
    """The statements of a module except its imports, by the names that they bind."""
    statements = without_docstrings(text).body
    return {_bound(node): node for node in statements if not isinstance(node, ast.Import | ast.ImportFrom)}


def _of_class(old: ast.stmt | None, new: ast.ClassDef, cls: Any, file: str, texts: tuple[str, str]) -> Iterator[Part]:
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
        was, is_ = (next((s for s in reversed(node.body) if _bound(s) == name), None) for node in (old, new))
        changed = _line_of_difference(was, is_) if was is not None and is_ is not None else 0
        kind, is_new = _kind(cls, name), name not in before
        values = None if kind == EXPECTED else _values(was, is_)
        yield Part(kind, name, new.name, file, line, is_new, changed, values, _diff(was, is_, texts))


def _values(old: ast.stmt | None, new: ast.stmt | None) -> tuple[str, str] | None:
    """The values of a name before and after, if one statement assigns it in each text and both values are short."""
    both = [s.value for s in (old, new) if isinstance(s, ast.Assign | ast.AnnAssign) and s.value is not None]
    texts = [ast.unparse(value) for value in both]
    return (texts[0], texts[1]) if len(texts) == 2 and texts[0] != texts[1] and sum(map(len, texts)) < SHORT else None


def _diff(old: ast.stmt | None, new: ast.stmt | None, texts: tuple[str, str]) -> tuple[str, ...]:
    """The lines of a method that differ, removed ones before those in their place."""
    if not isinstance(old, ast.FunctionDef) or not isinstance(new, ast.FunctionDef):
        return ()
    before, after = (text.splitlines()[_first_line(s) - 1 : s.end_lineno] for text, s in zip(texts, (old, new)))
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _line_of_difference(old: ast.AST, new: ast.AST) -> int:
    """The line of the first innermost part of two trees that differs, else 0; for a part of the old tree alone, the
    line of the statement around it.
    """
    below = list(zip(ast.iter_child_nodes(old), ast.iter_child_nodes(new), strict=False))
    line = getattr(new, "lineno", 0)
    if type(old) is not type(new) or len(list(ast.iter_child_nodes(old))) != len(list(ast.iter_child_nodes(new))):
        below = [pair for pair in below if isinstance(new, ast.FunctionDef | ast.If | ast.For | ast.While)]
    found = (_line_of_difference(a, b) or line for a, b in below if ast.dump(a) != ast.dump(b))
    return next(found, line)


def _beside(
    before: dict[str, ast.stmt], now: dict[str, ast.stmt], separate: frozenset[str], file: str, texts: tuple[str, str]
) -> Iterator[Part]:
    """Functions, constants and other classes of the module."""
    for name in dict.fromkeys((*now, *before)):
        old, new = before.get(name), now.get(name)
        if name in separate or (old and ast.dump(old)) == (new and ast.dump(new)):
            continue
        kind = {ast.FunctionDef: "function", ast.ClassDef: "class"}.get(type(new or old), "value")
        line = 1 if new is None else new.lineno
        values, diff = _values(old, new), _diff(old, new, texts)
        yield Part(kind, name, "", file, line, new=old is None, values=values, diff=diff)


def _members(node: ast.ClassDef) -> Members:
    head = " ".join(ast.dump(part) for part in (*node.bases, *node.keywords, *node.decorator_list))
    inside = {_bound(item): (ast.dump(item), item.lineno) for item in node.body}
    return {HEAD: (head, node.lineno), **inside}


def _bound(node: ast.stmt) -> str:
    """The names that a statement binds; the text of a statement that binds none."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    return ", ".join(names) or ast.unparse(node)


def _kind(cls: Any, name: str) -> str:
    """The kind of a member of a model, by its decorator or by the decorator of the member that it overrides."""
    if name in NAMES or name == HEAD:
        return NAMES.get(name, HEAD)
    held = [vars(c)[name] for c in getattr(cls, "__mro__", ()) if name in vars(c)]
    marks = (getattr(value, "__checker__", None) for value in held)
    kind = next((mark.kind for mark in marks if mark is not None), None)
    return kind or ("method" if any(inspect.isfunction(value) for value in held) else "declaration")


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

"""Which parts of a module differ between two texts of it: members of its classes, and statements beside the classes.

The comparison is of the syntax, without comments and docstrings.  A member is the name that one statement of a class
body binds.  A change is therefore named in the modeller's terms: the rule stands_before, not the file.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from attrs import evolve

from checker.language.properties import Property
from checker.results.parts import EXPECTED, HEAD, LISTING, Part

Pair = tuple[ast.stmt | None, ast.stmt | None]  # a statement before and now
Members = dict[str, tuple[str, int]]  # text without comments, and line
SHORT = 60  # characters of both values of a name
METHOD, DECLARATION = "method", "declaration"
DECORATORS = {
    "on": "receive",
    "step_invariant": "step",
    "quiescent": "quiescence",
    **{kind: kind for kind in ("rule", "action", "initial", "invariant", "reachable", "constraint")},
}
CALLS = {"var": "variable", "chain": "variable", "const": "constant", "derived": "derived value"}
NAMES = {"expect": EXPECTED, "properties": LISTING}


def changed_parts(old: str, new: str, separate: frozenset[str], module: ModuleType, file: str) -> tuple[Part, ...]:
    """The parts that differ.  separate: the classes whose members count separately."""
    before, now = _body(old), _body(new)
    found: list[Part] = []
    classes = [node for node in before.values() if isinstance(node, ast.ClassDef)]
    for node in now.values():
        name = getattr(node, "name", "")
        if isinstance(node, ast.ClassDef) and name in separate:
            found += _of_class(before.get(name), node, vars(module).get(name), file, (old, new), classes)
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
    return {bound(node): node for node in statements if not isinstance(node, ast.Import | ast.ImportFrom)}


def _of_class(
    old: ast.stmt | None,
    new: ast.ClassDef,
    cls: Any,
    file: str,
    texts: tuple[str, str],
    classes: Sequence[ast.ClassDef] = (),
) -> Iterator[Part]:
    """The parts of a class.  classes: those of the former text, which tell what a removed member was."""
    is_property = isinstance(cls, type) and issubclass(cls, Property)
    if not isinstance(old, ast.ClassDef):
        yield Part("property" if is_property else "model", new.name, new.name, file, new.lineno, new=True)
        return
    before, now = _members(old), _members(new)
    differing = [n for n in {**now, **before} if before.get(n, ())[:1] != now.get(n, ())[:1]]
    pairs = {name: (_member(old, name), _member(new, name)) for name in differing}
    if is_property:
        if differing:
            yield _of_property(new, now, pairs, file, texts)
        return
    for name in differing:
        was, is_ = pairs[name]
        if is_ is None:
            yield Part(_former_kind(old, name, classes), name, new.name, file, new.lineno, gone=before[name][1])
            continue
        line = now[name][1]
        changed = _line_of_difference(was, is_) if was is not None else 0
        kind, is_new = _kind(cls, name, new), name not in before
        values = None if kind == EXPECTED else _values(was, is_)
        yield Part(kind, name, new.name, file, line, is_new, changed, values, _diff(was, is_, texts))


def _of_property(new: ast.ClassDef, now: Members, pairs: Mapping[str, Pair], file: str, texts: tuple[str, str]) -> Part:
    """A property class is one part: with the lines of its methods that differ, at the first line that does."""
    lines = [now[name][1] for name in pairs if name in now]
    both = [(old, is_) for old, is_ in pairs.values() if old is not None and is_ is not None]
    changed = next(filter(None, (_line_of_difference(old, is_) for old, is_ in both)), 0)
    diff = tuple(line for old, is_ in pairs.values() for line in _diff(old, is_, texts))
    return Part("property", new.name, new.name, file, min(lines, default=new.lineno), changed=changed, diff=diff)


def _values(old: ast.stmt | None, new: ast.stmt | None) -> tuple[str, str] | None:
    """The values of a name before and after, if one statement assigns it in each text and both values are short."""
    both = [s.value for s in (old, new) if isinstance(s, ast.Assign | ast.AnnAssign) and s.value is not None]
    texts = [ast.unparse(value) for value in both]
    return (texts[0], texts[1]) if len(texts) == 2 and texts[0] != texts[1] and sum(map(len, texts)) < SHORT else None


def _diff(old: ast.stmt | None, new: ast.stmt | None, texts: tuple[str, str]) -> tuple[str, ...]:
    """The lines of a method, an expectation or a list of properties that differ, removed ones before those in their
    place.
    """
    if old is None or new is None or not (_has_diff(old) and _has_diff(new)):
        return ()
    before, after = (text.splitlines()[_first_line(s) - 1 : s.end_lineno] for text, s in zip(texts, (old, new)))
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return tuple(line for line in lines if not line.startswith(("---", "+++", "@@")))


def _has_diff(node: ast.stmt) -> bool:
    """Whether the lines of a statement are shown where it changes; of another assignment the two values are."""
    return isinstance(node, ast.FunctionDef) or isinstance(node, ast.Assign) and bound(node) in NAMES


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])


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
        if new is None:
            yield Part(kind, name, "", file, 1, gone=0 if old is None else old.lineno)
            continue
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
            yield _of_helper(old, new, file, texts)
            continue
        values, diff = _values(old, new), _diff(old, new, texts)
        yield Part(kind, name, "", file, new.lineno, new=old is None, values=values, diff=diff)


def _of_helper(old: ast.ClassDef, new: ast.ClassDef, file: str, texts: tuple[str, str]) -> Part:
    """A class that is no model and no property is one part: with the members that differ, at the first such line."""
    before, now = _members(old), _members(new)
    names = tuple(n for n in {**now, **before} if before.get(n, ())[:1] != now.get(n, ())[:1])
    pairs = {name: (_member(old, name), _member(new, name)) for name in names}
    return evolve(_of_property(new, now, pairs, file, texts), kind="class", owner="", members=names)


def _members(node: ast.ClassDef) -> Members:
    head = " ".join(ast.dump(part) for part in (*node.bases, *node.keywords, *node.decorator_list))
    inside = {bound(item): (ast.dump(item), item.lineno) for item in node.body}
    return {HEAD: (head, node.lineno), **inside}


def _member(node: ast.ClassDef, name: str) -> ast.stmt | None:
    """The last statement of a class body that binds a name."""
    return next((statement for statement in reversed(node.body) if bound(statement) == name), None)


def bound(node: ast.stmt) -> str:
    """The names that a statement binds; the text of a statement that binds none."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [t.id for t in targets if isinstance(t, ast.Name)]
    return ", ".join(names) or ast.unparse(node)


def _kind(cls: Any, name: str, node: ast.ClassDef) -> str:
    """The kind of a member of a model, by its decorator or by the decorator of the member that it overrides."""
    if name in NAMES or name == HEAD:
        return NAMES.get(name, HEAD)
    held = [vars(c)[name] for c in getattr(cls, "__mro__", ()) if name in vars(c)]
    marks = (getattr(value, "__checker__", None) for value in held)
    kind = next((mark.kind for mark in marks if mark is not None), None)
    return kind or (METHOD if any(inspect.isfunction(value) for value in held) else member_kind(node, name))


def _former_kind(old: ast.ClassDef, name: str, classes: Iterable[ast.ClassDef]) -> str:
    """The kind of a member that is no longer there, by its text or that of a class of the file with such a member."""
    if name in NAMES or name == HEAD:
        return NAMES.get(name, HEAD)
    kinds = [member_kind(node, name) for node in (old, *classes)]
    return next((kind for kind in kinds if kind not in ("", METHOD)), METHOD)


def member_kind(node: ast.ClassDef, name: str) -> str:
    """The kind of a member of a class by its text alone; "" if it has none of that name."""
    member = _member(node, name)
    if isinstance(member, ast.FunctionDef):
        decorators = (called(decorator) for decorator in member.decorator_list)
        return next((DECORATORS[d] for d in decorators if d in DECORATORS), METHOD)
    value = getattr(member, "value", None)
    return "" if member is None else CALLS.get(called(value), DECLARATION)


def called(node: ast.expr | None) -> str:
    """The name of a decorator or of a called function."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node

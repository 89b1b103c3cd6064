"""Names that a change replaces by others: rules, variables, messages and the like with the same structure up to names.

Two texts of a module are matched statement by statement, members of classes like statements of the module.  Where two
statements differ in identifiers alone, each pair of identifiers that differ is a renaming: the former texts declare the
one and the new texts the other, the former name occurs nowhere in the new texts, the new one nowhere in the former
texts, and each stands for one other.  The former text with the new names is therefore the former model up to names, and
can be compared with today's; line numbers are kept.

A name that something else gives a meaning is not renamed: an import, Python, a class of the language, whose method
would otherwise be overridden or called.  Nor are names inside of f-strings, which Python 3.11 does not tokenize, and
names of parameters and local variables that are no fields.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from attrs import field, frozen

import checker.language
from checker.analysis.changed_parts import METHOD, bound, called, member_kind, without_docstrings
from checker.language.model import Model
from checker.language.places import bindings, is_own
from checker.language.properties import Property
from checker.results.parts import WORDS
from checker.wording import listed

Trees = Sequence[tuple[ast.Module, ast.Module]]  # former and new
Leaves = list[tuple[str, object]]
TOLD = 6  # renamings that are named
TYPES = {"Union": "message", "Record": "field"}  # what the keywords of a type are
LANGUAGE = "checker.language"
IDENTIFIER, OTHER = "identifier", "other"


@frozen
class Renaming:
    """The new name of each former name, and what each of them is in the model's terms."""

    names: Mapping[str, str] = field(factory=dict, hash=False)
    kinds: Mapping[str, str] = field(factory=dict, eq=False)

    def __bool__(self) -> bool:
        return bool(self.names)

    def source(self, text: str) -> str:
        """A former text with the new names; its lines keep their numbers."""
        if not any(name in text for name in self.names):
            return text
        lines = text.splitlines(keepends=True)
        for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
            name = token.string if token.type == tokenize.NAME else token.string[1:-1]
            if token.type in (tokenize.NAME, tokenize.STRING) and name in self.names:
                (row, start), (_, end) = token.start, token.end
                line = lines[row - 1]
                lines[row - 1] = line[:start] + token.string.replace(name, self.names[name]) + line[end:]
        return "".join(lines)

    def clashes(self, text: str) -> bool:
        """Whether a former text has one of the new names already.  Comments and prose in it have none."""
        if not any(new in text for new in self.names.values()):
            return False
        try:
            return not _identifiers(without_docstrings(text)).isdisjoint(self.names.values())
        except (SyntaxError, ValueError):
            return True  # nothing is known of it

    def line(self, text: str) -> int:
        """The first line of a new text with one of the new names; 0 if none has one."""
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        news = set(self.names.values())
        return next((t.start[0] for t in tokens if t.type == tokenize.NAME and t.string in news), 0)

    def texts(self) -> tuple[str, ...]:
        """rule may_commit → enough."""
        return tuple(f"{self.kinds.get(a, 'name')} {a} → {b}" for a, b in self.names.items())


def renaming(texts: Iterable[tuple[str, str]]) -> Renaming:
    """The renamings between former and new texts of modules; texts that are no Python are left out."""
    trees = [pair for old, new in texts if (pair := _parsed(old, new)) is not None]
    was, now = ({name for pair in trees for name in _identifiers(pair[side])} for side in (0, 1))
    declared = [{name for pair in trees for name in _declared(pair[side])} - _reserved() for side in (0, 1)]
    unfit = {name for pair in trees for tree in pair for name in _of_values(tree)} | _in_fstrings(trees)
    found = _Found(declared[0] - now - unfit, declared[1] - was - unfit)
    if found.gone and found.come:
        for old, new in trees:
            found.match(old.body, new.body)
    kinds = {name: _kind((old for old, _ in trees), name) for name in found.names}
    return Renaming(found.names, kinds)


def named(renamed: Sequence[str]) -> str:
    """The renamings in a sentence."""
    return listed(renamed, TOLD)


def _parsed(old: str, new: str) -> tuple[ast.Module, ast.Module] | None:
    try:
        return without_docstrings(old), without_docstrings(new)
    except (SyntaxError, ValueError):
        return None


class _Found:
    """The renamings found so far; gone, come: the names that may be replaced, and those that may replace them."""

    def __init__(self, gone: set[str], come: set[str]) -> None:
        self.gone, self.come = gone, come
        self.names: dict[str, str] = {}

    def match(self, olds: Sequence[ast.stmt], news: Sequence[ast.stmt]) -> None:
        """Match the statements that bind the same names, then the others, in their order."""
        before, now = ({bound(statement): statement for statement in body} for body in (olds, news))
        for name in before:
            if name in now:
                self._pair(before[name], now[name])
        left, unmatched = [name for name in now if name not in before], list[str]()
        for name in (name for name in before if name not in now):
            wanted = [self.names[name]] if self.names.get(name) in left else left
            taken = next((other for other in wanted if self._pair(before[name], now[other])), None)
            left = [other for other in left if other != taken]
            unmatched += [name] * (taken is None)
        for name in unmatched:
            left = [other for other in left if not self._alike(before[name], now[other])]

    def _pair(self, old: ast.stmt, new: ast.stmt) -> bool:
        """Match two statements; of two classes the members one by one."""
        if isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef) and old.name == new.name:
            self.match(old.body, new.body)
            return True
        names = self._unified(list(_leaves(old)), list(_leaves(new)))
        self.names = names or self.names
        return names is not None

    def _alike(self, old: ast.stmt, new: ast.stmt) -> bool:
        """Match two classes of different names with more than half of their members in common, up to names."""
        if not isinstance(old, ast.ClassDef) or not isinstance(new, ast.ClassDef):
            return False
        if old.name not in self.gone or new.name not in self.come or new.name in self.names.values():
            return False
        found = _Found(self.gone, self.come)
        found.names = {**self.names, old.name: new.name}
        now = {bound(statement): statement for statement in new.body}
        same = sum(found._pair(s, now[bound(s)]) for s in old.body if bound(s) in now)
        if 2 * same <= max(len(old.body), len(new.body)):
            return False
        self.names = found.names
        self.match(old.body, new.body)
        return True

    def _unified(self, old: Leaves, new: Leaves) -> dict[str, str] | None:
        """The renamings with those that make two statements equal; None if they differ in more than names."""
        if len(old) != len(new):
            return None
        names = dict(self.names)
        for (kind, a), (other, b) in zip(old, new):
            if kind != other or kind == OTHER and (a != b or type(a) is not type(b)):
                return None
            if a != b and (a not in self.gone or b not in self.come or names.setdefault(str(a), str(b)) != b):
                return None
        return names if len(set(names.values())) == len(names) else None


def _leaves(node: ast.AST) -> Iterator[tuple[str, object]]:
    """The nodes of a tree in order, its identifiers and its other values; a text that is an identifier may name
    something."""
    yield OTHER, type(node).__name__
    for name, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield from _leaves(item)
            elif name != "type_comment":
                is_name = isinstance(item, str) and item.isidentifier()
                yield IDENTIFIER if is_name else OTHER, item
        yield OTHER, f"end of {name}"


def _identifiers(tree: ast.AST) -> set[str]:
    return {str(value) for kind, value in _leaves(tree) if kind == IDENTIFIER}


def _in_fstrings(trees: Trees) -> set[str]:
    parts = (node for old, _ in trees for node in ast.walk(old) if isinstance(node, ast.JoinedStr))
    return {name for part in parts for name in _identifiers(part)}


def _declared(tree: ast.Module) -> set[str]:
    """Members of the classes of a module, what stands beside the classes, and the messages and fields of types."""
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    members = {name for body in bodies for name, _ in bindings(body)}
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) in TYPES)
    return members | {item.arg for call in calls for item in call.keywords if item.arg}


def _classes() -> list[type]:
    own = [vars(module) for name, module in list(sys.modules.items()) if name.startswith(LANGUAGE) and is_own(name)]
    return [value for names in own for value in names.values() if isinstance(value, type)]


@cache
def _reserved() -> frozenset[str]:
    """Names with a meaning of their own: Python's, and those of the language, of its models and properties."""
    members = {name for cls in _classes() if issubclass(cls, Model | Property) for name in dir(cls)}
    return frozenset({*members, *checker.language.__all__, *dir(builtins), *keyword.kwlist})


@cache
def _operations() -> frozenset[str]:
    """Names of attributes of values."""
    return frozenset(name for cls in (*_classes(), set, list, dict, tuple, str, int) for name in dir(cls))


def _of_values(tree: ast.Module) -> Iterator[str]:
    """Names that something has which is not `self`, and that values of the language or of Python have."""
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    others = (node for node in attributes if not (isinstance(node.value, ast.Name) and node.value.id == "self"))
    yield from (node.attr for node in others if node.attr in _operations())


def _kind(trees: Iterable[ast.Module], name: str) -> str:
    """What a name is: a member of a model, of a type or of the module; else "name"."""
    kinds = [kind for tree in trees for kind in _kinds(tree, name)]
    return next((WORDS.get(kind, kind) for kind in kinds if kind != METHOD), kinds[0] if kinds else "name")


def _kinds(tree: ast.Module, name: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and (kind := member_kind(node, name)):
            yield kind
        if isinstance(node, ast.Call) and any(item.arg == name for item in node.keywords):
            yield from filter(None, [TYPES.get(called(node))])
    for statement in tree.body:
        if bound(statement) == name:
            yield {ast.FunctionDef: "function", ast.ClassDef: "class"}.get(type(statement), "value")

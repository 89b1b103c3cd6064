"""Which models a change touches: those whose own class, bases or properties are not what they were at a git revision.

Compared is the code, without comments and docstrings, from where the branch left that revision (`git merge-base`) to
the files as they are now, committed or not. Each model and property class counts by itself; everything else in a module
(functions, constants, other classes) counts for all who use the module, and so do the modules it imports.  A change of
the checker itself touches every model.  Code that a model reaches by other ways (a data file, an installed package) is
not seen; `checker verify` without --since is the full check.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import define, field, frozen

from checker.analysis.git import git
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import PACKAGE, is_own
from checker.language.properties import Property
from checker.results.verified import Case

NAMED = 5
_git = partial(git, needed="--since needs it.")


@frozen
class Touched:
    """The cases that a change touches, with the reason in words for each class, and how many cases it does not."""

    cases: tuple[Case, ...]
    reasons: dict[str, str]
    untouched: int

    def texts(self, revision: str) -> Iterator[str]:
        """What is checked again and why, one line for each reason."""
        groups: dict[str, list[str]] = {}
        for reference, reason in self.reasons.items():
            groups.setdefault(reason, []).append(reference)
        for reason, references in groups.items():
            more = f" and {len(references) - NAMED} more" if len(references) > NAMED else ""
            yield f"{', '.join(references[:NAMED])}{more}: {reason}"
        yield f"{self.untouched} expectations are not touched by what has changed since {revision}"


def touched(cases: Iterable[Case], revision: str) -> Touched:
    """The cases to check again since a revision.  UsageError without git, or if there is no such revision."""
    cases, change = list(cases), Change.since(revision)
    found = {reference: change.reason(cls) for reference, cls in {c.reference: c.cls for c in cases}.items()}
    reasons = {reference: reason for reference, reason in found.items() if reason is not None}
    kept = tuple(c for c in cases if c.reference in reasons)
    return Touched(kept, reasons, len(cases) - len(kept))


@frozen
class Code:
    """The code of a module: each model or property class by name, the rest, and its imports, all as text that comments
    do not change."""

    classes: dict[str, str]
    rest: str
    imports: frozenset[str]
    bound: frozenset[str]  # names that imports bind


@define(slots=False)
class Change:
    """The difference between a commit and the working directory's files."""

    root: Path
    commit: str
    files: frozenset[str]
    _differences: dict[Path, tuple[frozenset[str], bool]] = field(factory=dict)

    @classmethod
    def since(cls, revision: str) -> Change:
        """What has changed since the branch left a revision."""
        root = Path(_git(Path.cwd(), "rev-parse", "--show-toplevel", problem="this is not a git repository").strip())
        remedy = "In a shallow clone fetch it first (fetch-depth: 0)."
        wanted, missing = f"{revision}^{{commit}}", f"there is no revision {revision}"
        commit = _git(root, "rev-parse", "--verify", "--quiet", wanted, problem=missing, remedy=remedy).strip()
        apart = f"{revision} and this branch have no common commit"
        commit = _git(root, "merge-base", commit, "HEAD", problem=apart, remedy=remedy).strip()
        changed = _git(root, "diff", "--name-only", "-z", "--no-renames", commit, problem="git diff failed")
        new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", problem="git ls-files failed")
        names = [*changed.split("\0"), *new.split("\0")]
        return cls(root.resolve(), commit, frozenset(n for n in names if n.endswith(".py")))

    @cached_property
    def of_the_checker(self) -> str | None:
        """A changed file of the checker itself, if any."""
        return next((n for n in sorted(self.files) if (self.root / n).is_relative_to(PACKAGE)), None)

    def reason(self, cls: type) -> str | None:
        """Why a model must be checked again, None if nothing it depends on has changed."""
        if self.of_the_checker is not None:
            return f"{self.of_the_checker}, a part of the checker, has changed"
        needed = list(dict.fromkeys(_needed(cls)))
        for item in needed:
            file = _file(sys.modules.get(item.__module__))
            if file is not None and item.__name__ in self._of(file)[0]:
                return "it has changed" if item is cls else f"{item.__name__} ({self._name(file)}) has changed"
        for module in _modules({item.__module__ for item in needed}):
            file = _file(module)
            if file is not None and self._of(file)[1]:
                return f"{self._name(file)} has changed"
        return None

    def _name(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()

    def _of(self, file: Path) -> tuple[frozenset[str], bool]:
        """The classes of a file that differ, and whether the rest does."""
        if not file.is_relative_to(self.root) or self._name(file) not in self.files:
            return frozenset(), False
        if file not in self._differences:
            self._differences[file] = self._compare(file)
        return self._differences[file]

    def _compare(self, file: Path) -> tuple[frozenset[str], bool]:
        separate = _separate(next(m for m in list(sys.modules.values()) if _file(m) == file))
        new = _code(file.read_text(encoding="utf-8"), separate)
        try:
            old = _code(_git(self.root, "show", f"{self.commit}:{self._name(file)}", problem=""), separate)
        except (UsageError, SyntaxError):  # it was not there, or not readable
            return frozenset(new.classes), True
        changed = frozenset(n for n, text in new.classes.items() if old.classes.get(n) != text)
        # a new import is seen in the code that uses it, unless it takes the place of a name that was there before
        shadows = bool((new.bound - old.bound) & set(dir(builtins)))
        return changed, new.rest != old.rest or bool(old.imports - new.imports) or shadows


def _code(text: str, separate: frozenset[str]) -> Code:
    tree = _WithoutDocstrings().visit(ast.parse(text))
    classes, rest, imports, bound = {}, [], set(), set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name in separate:
            classes[node.name] = ast.dump(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            origin = f"{'.' * node.level}{node.module}" if isinstance(node, ast.ImportFrom) else ""
            imports |= {f"{origin} {alias.name} {alias.asname}" for alias in node.names}
            bound |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        else:
            rest.append(ast.dump(node))
    return Code(classes, "\n".join(rest), frozenset(imports), frozenset(bound))


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str) else node


def _separate(module: ModuleType) -> frozenset[str]:
    """Names of the classes of a module that count by themselves: models and properties it defines."""
    return frozenset(n for n, v in vars(module).items() if _counts(v) and v.__module__ == module.__name__)


def _counts(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Model | Property)


def _needed(cls: type) -> Iterator[type]:
    """A model class, its bases and properties, and the models and properties that their code names."""
    waiting, seen = [cls], set()
    while waiting:
        item = waiting.pop(0)
        if item in seen or not _counts(item):
            continue
        seen.add(item)
        yield item
        waiting += item.__mro__[1:]
        waiting += getattr(item, "properties", []) if issubclass(item, Model) else []
        waiting += _named(item)


def _named(cls: type) -> Iterator[type]:
    module = sys.modules.get(cls.__module__)
    file = _file(module)
    if file is None or is_own(cls.__module__):
        return
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == cls.__name__:
            for name in {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}:
                if _counts(getattr(module, name, None)):
                    yield getattr(module, name)


def _modules(names: set[str]) -> Iterator[ModuleType]:
    """Modules and all they import, so far as they are loaded."""
    waiting, seen = sorted(names), set()
    while waiting:
        module = sys.modules.get(waiting.pop(0))
        if module is None or module.__name__ in seen:
            continue
        seen.add(module.__name__)
        yield module
        if module.__name__.partition(".")[0] not in sys.stdlib_module_names and _file(module) is not None:
            held = vars(module).values()
            waiting += sorted(
                {v.__name__ if isinstance(v, ModuleType) else str(getattr(v, "__module__", "")) for v in held}
            )


def _file(module: ModuleType | None) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if file and file.endswith(".py") else None

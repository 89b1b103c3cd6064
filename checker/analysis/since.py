"""Which models a change touches: models whose class, bases or properties differ from those at a git revision.

The comparison ignores comments and docstrings. It compares the merge base with that revision (`git merge-base`) with
the files of today, committed or not. Each model class and property class is compared separately; the rest of a module
(functions, constants, other classes) is compared for every model that uses the module, and so are the modules that it
imports. A change of the checker itself touches every model. A change of a submodule touches every model that uses a
file of it. A model whose file git does not track here (outside of the repository, or ignored) always counts as changed.
A removed expectation touches no model, so it is reported by name. Where it stops: code that a model reaches in other
ways (a data file, an installed package) is not compared; `checker verify` without --since is the full check.
"""

from __future__ import annotations

import ast
import builtins
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from attrs import define, field, frozen

from checker.analysis.changed_parts import changed_parts, in_force, without_docstrings
from checker.analysis.git import git
from checker.analysis.imported import Imports, file_of
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.language.places import PACKAGE, bindings, class_node, is_own
from checker.language.properties import Property
from checker.results.review import Part, Removed
from checker.results.verified import Case
from checker.wording import counted

NAMED = 5
_git = partial(git, needed="--since needs it.")
SUBMODULE = "160000"
"""The file mode of a submodule in git's index."""


@frozen
class Touched:
    """The cases that a change touches, with the reason for each class in words, and the number of the other cases.
    parts: which parts of the source touch each class; commit: the merge base; removed: the classes that stated an
    expectation there and state none today, each with its file.
    """

    cases: tuple[Case, ...]
    reasons: dict[str, str]
    untouched: int
    parts: dict[str, tuple[Part, ...]] = field(factory=dict)
    commit: str = ""
    removed: tuple[Removed, ...] = ()

    def texts(self, revision: str) -> Iterator[str]:
        """What is checked again and why, one line for each reason."""
        groups: dict[str, list[str]] = {}
        for reference, reason in self.reasons.items():
            groups.setdefault(reason, []).append(reference)
        for reason, references in groups.items():
            more = f" and {len(references) - NAMED} more" if len(references) > NAMED else ""
            yield f"{', '.join(references[:NAMED])}{more}: {reason}"
        if self.removed:
            yield f"expectations removed: {', '.join(map(str, self.removed))}"
        are = f"{counted(self.untouched, 'expectation')} {'is' if self.untouched == 1 else 'are'}"
        yield f"{are} not touched by what has changed since {revision}"


def touched(cases: Iterable[Case], revision: str) -> Touched:
    """The cases to check again since a revision.  UsageError without git, or if there is no such revision."""
    cases, change = list(cases), Change.since(revision)
    classes = {c.reference: c.cls for c in cases}
    found = {reference: change.reason(cls) for reference, cls in classes.items()}
    reasons = {reference: reason for reference, reason in found.items() if reason is not None}
    kept = tuple(c for c in cases if c.reference in reasons)
    parts = {reference: tuple(change.parts(classes[reference])) for reference in reasons}
    return Touched(kept, reasons, len(cases) - len(kept), parts, change.commit, change.removed)


@frozen
class Code:
    """The code of a module as text without comments: each model or property class by name, the rest, and its
    imports."""

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
    folders: frozenset[str]  # submodules, and repositories inside this one, that differ
    listed: frozenset[str]  # what git follows, or would
    _differences: dict[Path, tuple[frozenset[str], bool]] = field(factory=dict)
    _parts: dict[Path, tuple[Part, ...]] = field(factory=dict)

    @cached_property
    def _imports(self) -> Imports:
        return Imports(self.root)

    @classmethod
    def since(cls, revision: str) -> Change:
        """What has changed since the branch left a revision."""
        root = Path(_git(Path.cwd(), "rev-parse", "--show-toplevel", problem="this is not a git repository").strip())
        remedy = (
            "Is the name right? In a shallow clone fetch it first (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)."
        )
        wanted, missing = f"{revision}^{{commit}}", f"there is no revision {revision}"
        commit = _git(root, "rev-parse", "--verify", "--quiet", wanted, problem=missing, remedy=remedy).strip()
        apart = f"{revision} and this branch have no common commit"
        commit = _git(root, "merge-base", commit, "HEAD", problem=apart, remedy=remedy).strip()
        how = ["--name-only", "-z", "--no-renames", "--ignore-submodules=untracked"]
        changed = _git(root, "diff", *how, commit, problem="git diff failed")
        new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", problem="git ls-files failed")
        staged = _git(root, "ls-files", "--stage", "-z", problem="git ls-files failed")
        old = [(entry.partition(" ")[0], entry.partition("\t")[2]) for entry in staged.split("\0") if entry]
        names = {n.rstrip("/") for n in f"{changed}\0{new}".split("\0") if n}
        names.update(n for mode, n in old if mode == SUBMODULE and (root / n / ".git").exists() and _new_code(root / n))
        return cls(
            root.resolve(),
            commit,
            frozenset(n for n in names if n.endswith(".py")),
            frozenset(n for n in names if (root / n).is_dir()),
            frozenset(names.union(n for _, n in old)),
        )

    @cached_property
    def of_the_checker(self) -> str | None:
        """A changed file of the checker itself, if any."""
        return next((n for n in sorted(self.files) if (self.root / n).is_relative_to(PACKAGE)), None)

    @cached_property
    def removed(self) -> tuple[Removed, ...]:
        """Classes that stated an expectation at the commit and state none today, in whatever file."""
        gone: list[tuple[str, str]] = []
        come: set[str] = set()
        for name in sorted(self.files):
            file = self.root / name
            before = _stating(self._former(file) or "") or ()
            text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
            if (today := _stating(text)) is not None:  # else it is told that the file cannot be read
                gone += [(cls, name) for cls in before if cls not in today]
                come.update(cls for cls in today if cls not in before)
        return tuple(Removed(cls, name, self.root / name) for cls, name in gone if cls not in come)

    def reason(self, cls: type) -> str | None:
        """Why a model must be checked again; None if nothing that it depends on has changed."""
        if self.of_the_checker is not None:
            return f"{self.of_the_checker}, a part of the checker, has changed"
        needed = list(dict.fromkeys(_needed(cls)))
        for item in needed:
            file = file_of(sys.modules.get(item.__module__))
            if file is not None and item.__name__ in self._of(file)[0]:
                return "it has changed" if item is cls else f"{item.__name__} ({self._name(file)}) has changed"
            if file is not None and not self._followed(file) and (item is cls or not _installed(item, file)):
                return f"{os.path.relpath(file)}, which git does not follow here, may have changed"
        for module in _modules({item.__module__ for item in needed}, self._imports):
            file = file_of(module)
            if file is not None and self._of(file)[1]:
                return f"{self._name(file)} has changed"
            if file is not None and (folders := self.folders & self._above(file)):
                return f"{min(folders)} has changed"
        return None

    def _above(self, file: Path) -> frozenset[str]:
        """A file and the folders that hold it, as git names them; nothing outside of the repository."""
        if not file.is_relative_to(self.root):
            return frozenset()
        inside = file.relative_to(self.root)
        return frozenset(path.as_posix() for path in (inside, *inside.parents[:-1]))

    def _followed(self, file: Path) -> bool:
        """Whether git would show a change of the file: git, or the submodule that holds the file, tracks it."""
        return bool(self.listed & self._above(file))

    def parts(self, cls: type) -> Iterator[Part]:
        """The parts of the source that touch a model; without parts that the model overrides, if others are left."""
        found: list[tuple[Part, bool]] = []
        needed = list(dict.fromkeys(_needed(cls)))
        for item in needed:
            for part in self._changed(file_of(sys.modules.get(item.__module__))):
                if part.owner == item.__name__:
                    found.append((part, in_force(part, item, cls)))
        for module in _modules({item.__module__ for item in needed}, self._imports):
            found += [(part, True) for part in self._changed(file_of(module)) if not part.owner]
        used = [part for part, used in found if used]
        yield from dict.fromkeys(used or [part for part, _ in found])

    def _changed(self, file: Path | None) -> tuple[Part, ...]:
        """The parts of a file that differ; none for a file of the checker itself."""
        if file is None or file.is_relative_to(PACKAGE) or not any(map(bool, self._of(file))):
            return ()
        if file not in self._parts:
            module, new = _module(file), file.read_text(encoding="utf-8")
            before = self._former(file) or ""
            self._parts[file] = changed_parts(before, new, _separate(module), module, self._name(file))
        return self._parts[file]

    def _former(self, file: Path) -> str | None:
        """The text of a file at the commit; None if the file was absent or not readable."""
        try:
            text = _git(self.root, "show", f"{self.commit}:{self._name(file)}", problem="")
            ast.parse(text)
        except (UsageError, SyntaxError):
            return None
        return text

    def _name(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()

    def _of(self, file: Path) -> tuple[frozenset[str], bool]:
        """The classes of a file that differ, and whether anything else in the file differs."""
        if not file.is_relative_to(self.root) or self._name(file) not in self.files:
            return frozenset(), False
        if file not in self._differences:
            self._differences[file] = self._compare(file)
        return self._differences[file]

    def _compare(self, file: Path) -> tuple[frozenset[str], bool]:
        separate = _separate(_module(file))
        new = _code(file.read_text(encoding="utf-8"), separate)
        former = self._former(file)
        if former is None:
            return frozenset(new.classes), True
        old = _code(former, separate)
        changed = frozenset(n for n, text in new.classes.items() if old.classes.get(n) != text)
        # a new import is seen in the code that uses it, unless it takes the place of a name that was there before
        shadows = bool((new.bound - old.bound) & set(dir(builtins)))
        return changed, new.rest != old.rest or bool(old.imports - new.imports) or shadows


def _stating(text: str) -> list[str] | None:
    """The classes of a source text that state an expectation, by name; None if the text is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    stated = ((cls.name, getattr(s, "value", None)) for cls in classes for n, s in bindings(cls.body) if n == "expect")
    return sorted({name for name, value in stated if not isinstance(value, ast.Constant | None)})  # None states nothing


def _installed(item: type, file: Path) -> bool:
    """Whether a file belongs to the checker (its shipped properties included) or to an installed package."""
    installed = not {"site-packages", "dist-packages"}.isdisjoint(file.parts)
    return installed or item.__module__.partition(".")[0] == PACKAGE.name


def _code(text: str, separate: frozenset[str]) -> Code:
    tree = without_docstrings(text)
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


def _separate(module: ModuleType) -> frozenset[str]:
    """Names of the classes of a module that are compared separately: the models and properties that it defines."""
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
    node = None if is_own(cls.__module__) else class_node(cls)
    names = {n.id for n in ast.walk(node or ast.Module([], [])) if isinstance(n, ast.Name)}
    held = (getattr(sys.modules.get(cls.__module__), name, None) for name in names)
    yield from filter(_counts, held)


def _modules(names: set[str], imports: Imports) -> Iterator[ModuleType]:
    """Modules and everything that they import, as far as it is loaded: by their contents, and by their import
    statements.
    """
    waiting, seen = [sys.modules.get(name) for name in sorted(names)], set()
    while waiting:
        module = waiting.pop(0)
        if module is None or id(module) in seen:
            continue
        seen.add(id(module))
        yield module
        file = file_of(module)
        if module.__name__.partition(".")[0] not in sys.stdlib_module_names and file is not None:
            held = vars(module).values()
            of = {v.__name__ if isinstance(v, ModuleType) else str(getattr(v, "__module__", "")) for v in held}
            waiting += [sys.modules.get(name) for name in sorted(of)]
            waiting += imports.of(file)


def _module(file: Path) -> ModuleType:
    return next(m for m in list(sys.modules.values()) if file_of(m) == file)


def _new_code(submodule: Path) -> bool:
    """Whether a submodule holds code that its commit does not; bytecode files do not count."""
    new = _git(submodule, "ls-files", "--others", "--exclude-standard", "-z", problem="git ls-files failed")
    return any(name.endswith((".py", "/")) for name in new.split("\0"))

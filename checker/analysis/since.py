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

from attrs import define, field, frozen

from checker.analysis.changed_parts import changed_parts, in_force, without_docstrings
from checker.analysis.depended import counts, files_of, modules, needed
from checker.analysis.git import git, has_commit, require_commit
from checker.analysis.imported import Imports, file_of
from checker.analysis.moved import former_places, move_text
from checker.analysis.renamed import Renaming, named, renaming
from checker.catalogue import Entry
from checker.importing import in_packages
from checker.language.errors import UsageError
from checker.language.expectation import expectations
from checker.language.places import PACKAGE
from checker.results.parts import MOVED, RENAMED, Part
from checker.results.removed import Removed
from checker.results.verified import Case
from checker.sought import Named
from checker.wording import counted, listed

NAMED = 5
_git = partial(git, needed="--since needs it.")
SUBMODULE = "160000"
"""The file mode of a submodule in git's index."""


@frozen
class Touched:
    """The cases that a change touches, with the reason for each class in words, and the number of the other cases.
    parts: which parts of the source touch each class; commit: the merge base; removed: the classes that stated an
    expectation there and state none today, each with its file, and what others no longer claim; root: the folder of the
    repository; stating: the classes that state an expectation, and in whose source anything differs; unknown: those of
    which nobody knows what they claimed, in a sentence each.
    """

    cases: tuple[Case, ...]
    reasons: dict[str, str]
    untouched: int
    parts: dict[str, tuple[Part, ...]] = field(factory=dict)
    commit: str = ""
    removed: tuple[Removed, ...] = ()
    root: Path = Path()
    stating: tuple[Entry, ...] = ()
    unknown: tuple[str, ...] = ()

    def texts(self, revision: str) -> Iterator[str]:
        """What is checked again and why, one line for each reason."""
        groups: dict[str, list[str]] = {}
        for reference, reason in self.reasons.items():
            groups.setdefault(reason, []).append(reference)
        for reason, references in groups.items():
            yield f"{listed(references, NAMED)}: {reason}"
        if gone := [str(one) for one in self.removed if not one.what]:
            yield f"expectations removed: {', '.join(gone)}"
        yield from (f"expectation weakened: {one}" for one in self.removed if one.what)
        yield from self.unknown
        are = f"{counted(self.untouched, 'expectation')} {'is' if self.untouched == 1 else 'are'}"
        yield f"{are} not touched by what has changed since {revision}"


def touched(cases: Iterable[Case], change: Change, entries: Iterable[Entry] = ()) -> Touched:
    """The cases to check again after a change.  entries: all classes that were read, also those without a case."""
    cases = list(cases)
    classes = {c.reference: c.cls for c in cases}
    found = {reference: change.reason(cls) for reference, cls in classes.items()}
    reasons = {reference: reason for reference, reason in found.items() if reason is not None}
    kept = tuple(c for c in cases if c.reference in reasons)
    parts = {reference: tuple(change.parts(classes[reference])) for reference in reasons}
    stating = (e for e in entries if expectations(e.cls))
    reached = [e for e in stating if (e.reference in reasons if e.reference in found else change.reason(e.cls))]
    there = [e for e in reached if change.was_there(e.file.resolve())]
    known = ((e, parts[e.reference] if e.reference in parts else tuple(change.parts(e.cls))) for e in there)
    differing = {(e.file, e.cls): e for e, of in known if any(part.fate != MOVED for part in of)}
    return Touched(
        kept, reasons, len(cases) - len(kept), parts, change.commit, root=change.root, stating=tuple(differing.values())
    )


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
    _parts: dict[tuple[Path, Renaming], tuple[Part, ...]] = field(factory=dict)
    _renamings: dict[frozenset[Path], Renaming] = field(factory=dict)
    _formers: dict[Path, str | None] = field(factory=dict)

    @cached_property
    def _imports(self) -> Imports:
        return Imports(self.root)

    @classmethod
    def since(cls, revision: str) -> Change:
        """What has changed since the branch left a revision.  UsageError without git or such a revision."""
        root = Path(_git(Path.cwd(), "rev-parse", "--show-toplevel", problem="this is not a git repository").strip())
        commit = _merge_base(root, revision)
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
    def _changed_files(self) -> frozenset[Path]:
        return frozenset(self.root / name for name in self.files)

    @cached_property
    def moved(self) -> dict[str, str]:
        """The former name of each file that has moved."""
        return former_places(self.root, self.commit)

    @cached_property
    def of_the_checker(self) -> str | None:
        """A changed file of the checker itself, if any."""
        return next((n for n in sorted(self.files) if (self.root / n).is_relative_to(PACKAGE)), None)

    def reason(self, cls: type) -> str | None:
        """Why a model must be checked again; None if nothing that it depends on has changed."""
        if self.of_the_checker is not None:
            return f"{self.of_the_checker}, a part of the checker, has changed"
        items = list(dict.fromkeys(needed(cls)))
        for item in items:
            file = file_of(sys.modules.get(item.__module__))
            if file is not None and item.__name__ in self._of(file)[0]:
                how = "has changed" if not self._is_new(file) else "is new"
                return f"it {how}" if item is cls else f"{item.__name__} ({self._name(file)}) {how}"
            if file is not None and not self._followed(file) and (item is cls or not _installed(item, file)):
                return f"{os.path.relpath(file)}, which git does not follow here, may have changed"
        for module in modules({item.__module__ for item in items}, self._imports):
            file = file_of(module)
            if file is not None and self._of(file)[1]:
                return f"{self._name(file)} has changed"
            if file is not None and (move := self._move(file)):
                return f"moved: {move}"
            if file is not None and self.folders and (folders := self.folders & self._above(file)):
                return f"{min(folders)} has changed"
        return None

    def was_there(self, file: Path) -> bool:
        """Whether a file, under its former name, was in this repository, and could be read."""
        return file.is_relative_to(self.root) and self.former(file) is not None

    def _is_new(self, file: Path) -> bool:
        """Whether there was no such file at the commit, also not in another place."""
        name = self.moved.get(self._name(file), self._name(file))
        return not _git(self.root, "ls-tree", "--name-only", self.commit, "--", name, problem="").strip()

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
        """The parts of the source that touch a model, moves and renamings last; without parts that the model
        overrides, if others are left.
        """
        found: list[tuple[Part, bool]] = []
        items, replaced = list(dict.fromkeys(needed(cls))), self._renaming(cls)
        for item in items:
            for part in self._changed(file_of(sys.modules.get(item.__module__)), replaced):
                if part.owner == item.__name__:
                    found.append((part, in_force(part, item, cls)))
        for module in modules({item.__module__ for item in items}, self._imports):
            found += [(part, True) for part in self._changed(file_of(module), replaced) if not part.owner]
        used = [part for part, used in found if used]
        yield from dict.fromkeys(used or [part for part, _ in found])
        yield from self._moves(cls, alone=not found and not replaced)
        if replaced:
            files = sorted(f for f in files_of(cls, self._imports) if any(self._of(f)))
            lines = ((file, replaced.line(file.read_text(encoding="utf-8"))) for file in files)
            file, line = next(((f, line) for f, line in lines if line), (files[0], 1))
            yield Part(RENAMED, named(replaced.texts()), "", self._name(file), line)

    def _moves(self, cls: type, alone: bool) -> Iterator[Part]:
        """The files of a model that have moved.  alone: whether no part of them differs."""
        files = sorted(files_of(cls, self._imports))
        moved = [(file, move) for file in files if (move := self._move(file))]
        nothing_else = "; nothing else" * (alone and not any(any(self._of(file)) for file in files))
        for file, move in moved:
            yield Part(MOVED, f"{move}{nothing_else}", "", self._name(file), 1)

    def _move(self, file: Path) -> str:
        """From where a file has moved, in words; "" if it has not."""
        former = self.moved.get(self._name(file)) if file in self._changed_files else None
        return "" if former is None else move_text(former, self._name(file))

    def _renaming(self, cls: type) -> Renaming:
        """The names that the change replaces in the files of a model."""
        files = frozenset(file for file in files_of(cls, self._imports) if not file.is_relative_to(PACKAGE))
        if not any(any(self._of(file)) for file in files):
            return Renaming()
        if files not in self._renamings:
            now = {file: file.read_text(encoding="utf-8") for file in sorted(files)}
            before = {f: (self.former(f) or "") if self._name(f) in self.files else text for f, text in now.items()}
            self._renamings[files] = renaming((before[file], now[file]) for file in now)
        return self._renamings[files]

    def _changed(self, file: Path | None, replaced: Renaming) -> tuple[Part, ...]:
        """The parts of a file that differ in more than names; none for a file of the checker itself."""
        if file is None or file.is_relative_to(PACKAGE) or not any(map(bool, self._of(file))):
            return ()
        if (file, replaced) not in self._parts:
            module, new = _module(file), file.read_text(encoding="utf-8")
            before = replaced.source(self.former(file) or "")
            found = changed_parts(before, new, _separate(module), module, self._name(file))
            self._parts[file, replaced] = found
        return self._parts[file, replaced]

    def former(self, file: Path) -> str | None:
        """The text of a file at the commit, from where it stood; None if it was absent or not readable."""
        if file not in self._formers:
            try:
                text = self._text_then(self.moved.get(self._name(file), self._name(file)))
                ast.parse(text)
                self._formers[file] = text
            except (UsageError, SyntaxError):
                self._formers[file] = None
        return self._formers[file]

    def had(self, named: Named) -> bool:
        """Whether a Python file that is gone since the commit is what is named."""
        gone = (name for name in self.files if not (self.root / name).exists())
        return any(named.may_have(self.root / name) for name in gone)

    def text_then(self, file: Path) -> str:
        """The text of any file at the commit, in the same place; "" if it was absent."""
        try:
            return self._text_then(self._name(file.resolve()))
        except UsageError:
            return ""

    def _text_then(self, name: str) -> str:
        return _git(self.root, "show", f"{self.commit}:{name}", problem="")

    def _name(self, file: Path) -> str:
        return file.relative_to(self.root).as_posix()

    def _of(self, file: Path) -> tuple[frozenset[str], bool]:
        """The classes of a file that differ, and whether anything else in the file differs."""
        if file not in self._changed_files:
            return frozenset(), False
        if file not in self._differences:
            self._differences[file] = self._compare(file)
        return self._differences[file]

    def _compare(self, file: Path) -> tuple[frozenset[str], bool]:
        separate = _separate(_module(file))
        new = _code(file.read_text(encoding="utf-8"), separate)
        former = self.former(file)
        if former is None:
            return frozenset(new.classes), True
        old = _code(former, separate)
        changed = frozenset(n for n, text in new.classes.items() if old.classes.get(n) != text)
        # a new import is seen in the code that uses it, unless it takes the place of a name that was there before
        shadows = bool((new.bound - old.bound) & set(dir(builtins)))
        return changed, new.rest != old.rest or bool(old.imports - new.imports) or shadows


def _merge_base(root: Path, revision: str) -> str:
    """The commit at which this branch left a revision.  In a repository without a commit everything is new since HEAD:
    an empty folder.
    """
    if revision == "HEAD" and not has_commit(root):
        return _git(root, "hash-object", "-t", "tree", os.devnull, problem="git hash-object failed").strip()
    require_commit(root)
    remedy = "Is the name right? In a shallow clone fetch it first (fetch-depth: 0 on GitHub, GIT_DEPTH: 0 on GitLab)."
    wanted, missing = f"{revision}^{{commit}}", f"there is no revision {revision}"
    commit = _git(root, "rev-parse", "--verify", "--quiet", wanted, problem=missing, remedy=remedy).strip()
    apart = f"{revision} and this branch have no common commit"
    return _git(root, "merge-base", commit, "HEAD", problem=apart, remedy=remedy).strip()


def _installed(item: type, file: Path) -> bool:
    """Whether a file belongs to the checker (its shipped properties included) or to an installed package."""
    return in_packages(file) or item.__module__.partition(".")[0] == PACKAGE.name


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
    return frozenset(n for n, v in vars(module).items() if counts(v) and v.__module__ == module.__name__)


def _module(file: Path) -> ModuleType:
    return next(m for m in list(sys.modules.values()) if file_of(m) == file)


def _new_code(submodule: Path) -> bool:
    """Whether a submodule holds code that its commit does not; bytecode files do not count."""
    new = _git(submodule, "ls-files", "--others", "--exclude-standard", "-z", problem="git ls-files failed")
    return any(name.endswith((".py", "/")) for name in new.split("\0"))

"""A model of today with one part of its source as it was at a commit: everything else of the repository is as today.

The part is a member of a class, a property class, or a statement beside the classes. Its lines are replaced by the
former ones; a new part is left out, and a removed one stands at the end of its class, or before all statements.

Where it stops: bases of a class and new model classes are not changed back, nor what a change renames or moves.
"""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType

from checker.analysis.changed_parts import bound
from checker.analysis.compare.revision import dropped, imported_from
from checker.analysis.git import git
from checker.catalogue import Entry
from checker.language.errors import UsageError
from checker.project import copy_of
from checker.results.parts import EXPECTED, HEAD, MOVED, RENAMED, Part

_git = partial(git, problem="the former text of a file is not known", needed="--since needs it.")


def can_be_asked(part: Part) -> bool:
    """Whether a part is one of those that can be changed back alone, and may change what a model does."""
    new_class = part.new and part.name == part.owner
    new = new_class or part.new and part.kind == EXPECTED
    return bool(part.line) and not new and part.kind not in (HEAD, MOVED, RENAMED, "file")


@contextmanager
def changed_back(entry: Entry, root: Path, commit: str, part: Part) -> Iterator[Entry]:
    """The model with that part as it was; its source exists while the context is open.  Raises UsageError if it cannot
    be read.
    """
    file = root / part.file
    old, new = _git(root, "show", f"{commit}:{part.file}"), file.read_text(encoding="utf-8")
    inside = entry.file.resolve().relative_to(root).as_posix()
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        tree = Path(directory).resolve()
        for name in _files(root):
            place = tree / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((root / name).read_bytes())
        (tree / part.file).write_text(with_former(old, new, part.owner, part.name), encoding="utf-8")
        modules: dict[str, ModuleType] = {}
        try:
            with copy_of(root, tree):
                found, _ = imported_from(entry, root, tree, inside, f"{commit}, one part", modules)
            yield found
        finally:
            dropped(modules)


def _files(root: Path) -> Iterator[str]:
    """The files of Python in the working directory that git follows or would follow."""
    listed = _git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.py").split("\0")
    yield from (name for name in dict.fromkeys(listed) if name and (root / name).is_file())


def with_former(old: str, new: str, owner: str, name: str) -> str:
    """The new text with one part of the old one.  Raises UsageError if neither text has the part."""
    was, now = _body(old, owner, name), _body(new, owner, name)
    former, today = (next((s for s in reversed(body) if bound(s) == name), None) for body in (was, now))
    before, lines = old.splitlines(), new.splitlines()
    if former is None and today is None:
        raise UsageError(f"neither text has {name}")
    put = [] if former is None else before[_first(former) - 1 : former.end_lineno]
    if today is not None:
        start, end = _first(today) - 1, today.end_lineno or today.lineno
        alone = " " * today.col_offset
        lines[start:end] = put or [f"{alone}pass"]
    else:
        place = (now[-1].end_lineno or 0) if owner else _first(now[0]) - 1
        lines[place:place] = put
    return "\n".join(lines) + "\n"


def _body(text: str, owner: str, name: str) -> Sequence[ast.stmt]:
    """The statements among which a part stands: of its class, or of the module without imports and texts; a property
    class stands in the module."""
    body = ast.parse(text).body
    if owner and owner != name:
        return next((s.body for s in body if isinstance(s, ast.ClassDef) and s.name == owner), [])
    return [s for s in body if not isinstance(s, ast.Import | ast.ImportFrom | ast.Expr)]


def _first(node: ast.stmt) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])

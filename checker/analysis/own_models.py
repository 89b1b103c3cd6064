"""Which files of a folder hold models, found without executing any file; `checker verify` without a name verifies them.

Reading a model file executes it, and a repository may hold scripts that must not be executed.  The text of a file
therefore decides: a file holds models if a class in it derives from a name that is imported from `checker.language`,
from `checker.models`, or from another file that holds models.  In a git repository the candidates are all files below
the working directory that git tracks or would track; elsewhere they are the files of the working directory itself and
of its folder `models`.  Tests, files whose name begins with an underscore, hidden folders and installed packages are
left out.  Where it stops: a class whose base is computed (the result of a function) is not found; its file is verified
when it is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from checker.analysis.git import git
from checker.frozen import frozen
from checker.importing import FOLDER
from checker.language.errors import UsageError
from checker.sought import is_left_out, is_test, may_hold_models

MAKING = ("checker.language", "checker.models", "checker.Model")
"""The imported modules from which models are derived, with the modules inside them."""


def own_models() -> list[Path]:
    """The files below the working directory that hold models, as paths relative to it, sorted."""
    texts = {file: text for file in _candidates() if (text := _text(file)) is not None}
    found = {file for file, text in texts.items() if text.derives(())}
    while more := {f for f, t in texts.items() if f not in found and t.derives(found)}:
        found |= more
    return sorted(found)


def _candidates() -> Iterator[Path]:
    left_out = cache(is_left_out)
    for file in sorted(_python_files()):
        if may_hold_models(file) and not is_test(file) and file.is_file() and not any(map(left_out, file.parents)):
            yield file


def where_searched() -> str:
    """Where they are looked for, in words."""
    here = Path.cwd()
    try:
        git(here, "rev-parse", "--show-toplevel", problem="not a git repository", needed="")
    except UsageError:
        return f"in {here} or in its folder {FOLDER} (outside of a git repository no other folder is searched)"
    return f"in or below {here}"


def _python_files() -> Iterable[Path]:
    how = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.py"]
    try:
        listed = git(Path.cwd(), *how, problem="not a git repository", needed="")
    except UsageError:
        return [*Path().glob("*.py"), *Path(FOLDER).glob("*.py")]
    return {Path(name) for name in listed.split("\0") if name}


@frozen
class Text:
    """What a file imports (each name with its module), and the bases of its classes as they are written."""

    imported: dict[str, str]
    stars: tuple[str, ...]
    bases: tuple[str, ...]

    def derives(self, files: Iterable[Path]) -> bool:
        """Whether a class has a base from the language, from shipped models, or from one of these files."""
        files = list(files)
        if any(_makes(module, files) for module in self.stars):
            return bool(self.bases)
        roots = ((base.partition(".")[0], base) for base in self.bases)
        return any(_makes(base.replace(root, self.imported.get(root, ""), 1), files) for root, base in roots)


def _makes(name: str, files: Iterable[Path]) -> bool:
    """Whether an imported name, with its module, is of the language or of one of the files."""
    if name in MAKING or name.startswith(tuple(f"{module}." for module in MAKING)):
        return True
    parts = tuple(filter(None, name.split(".")))
    tails = {parts, parts[:-1], parts[:-2]} - {()}
    places = ((*file.absolute().parts[:-1], file.stem) for file in files)
    return any(place[-len(tail) :] == tail for place in places for tail in tails)


def _text(file: Path) -> Text | None:
    """None for a file with no class, or one that is not Python."""
    try:
        source = file.read_text(encoding="utf-8")
        if "class " not in source or "import" not in source:
            return None
        tree = ast.parse(source)
    except (OSError, ValueError, SyntaxError, RecursionError):
        return _unreadable(file)
    imported: dict[str, str] = {}
    stars: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            stars += [module for alias in node.names if alias.name == "*"]
            imported |= {a.asname or a.name: f"{module}.{a.name}".lstrip(".") for a in node.names}
        elif isinstance(node, ast.Import):
            roots = ((a, a.name.partition(".")[0]) for a in node.names)
            imported |= {a.asname or root: a.name if a.asname else root for a, root in roots}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return Text(imported, tuple(stars), tuple(ast.unparse(base) for node in classes for base in node.bases))


def _unreadable(file: Path) -> Text | None:
    """Whether a file with a syntax error seems to hold models: then the error is reported."""
    try:
        source = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return (
        Text({}, ("checker.language",), ("?",)) if "checker.language" in source or "checker.models" in source else None
    )

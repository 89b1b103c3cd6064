"""The files of a folder that hold models, found without executing any: what `checker verify` verifies if it names
nothing.

Reading a model file executes it, and a repository holds scripts that nobody wants executed.  So a file is taken for one
of models by its text: a class in it derives from something that it imports from `checker.language` or `checker.models`,
or from another such file.  In a git repository every file below the working directory counts that git follows or would
follow; elsewhere those of the folder itself and of `models` in it.  Tests, files whose name begins with an underscore,
hidden folders and what pip installed are left out.  Where it stops: a class whose base comes by another way (a function
that returns it) is not seen; its file is verified when it is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from checker.analysis.git import git
from checker.catalogue import may_hold_models
from checker.frozen import frozen
from checker.importing import FOLDER
from checker.language.errors import UsageError

MAKING = ("checker.language", "checker.models", "checker.Model")
"""What is imported to derive models from, with what is inside of it."""
TESTS = ("test_*.py", "*_test.py")
INSTALLED = {"site-packages", "dist-packages", "node_modules"}


def own_models() -> list[Path]:
    """The files below the working directory that hold models, as paths relative to it, sorted."""
    texts = {file: text for file in _candidates() if (text := _text(file)) is not None}
    found = {file for file, text in texts.items() if text.derives(())}
    while more := {f for f, t in texts.items() if f not in found and t.derives(found)}:
        found |= more
    return sorted(found)


def _candidates() -> Iterator[Path]:
    folders: dict[Path, bool] = {}
    for file in sorted(_python_files()):
        if not may_hold_models(file) or any(fnmatch(file.name, pattern) for pattern in TESTS) or not file.is_file():
            continue
        hidden = any(part.startswith(".") or part in INSTALLED for part in file.parts[:-1])
        if not hidden and not any(_is_environment(folder, folders) for folder in file.parents):
            yield file


def _is_environment(folder: Path, known: dict[Path, bool]) -> bool:
    if folder not in known:
        known[folder] = (folder / "pyvenv.cfg").exists()
    return known[folder]


def _python_files() -> Iterable[Path]:
    how = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.py"]
    try:
        listed = git(Path.cwd(), *how, problem="not a git repository", needed="")
    except UsageError:
        return [*Path().glob("*.py"), *Path(FOLDER).glob("*.py")]
    return {Path(name) for name in listed.split("\0") if name}


@frozen
class Text:
    """What a file imports, name by name with the module, and the bases of its classes as they are written."""

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
    """A file with a syntax error that seems to hold models is one: the error is to be reported."""
    try:
        source = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return (
        Text({}, ("checker.language",), ("?",)) if "checker.language" in source or "checker.models" in source else None
    )

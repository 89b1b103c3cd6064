"""A model file as it was at a git revision.

Only the file itself is taken from the revision; modules it imports are those of today.  A warning names those of them that have changed since.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from checker.catalogue import Entry, find, in_file
from checker.language.errors import UsageError


@frozen
class Former:
    """The entry of a model at a revision, and warnings about what could not be taken from there."""

    entry: Entry
    warnings: tuple[str, ...]


@contextmanager
def at_revision(entry: Entry, revision: str) -> Iterator[Former]:
    """The same model class of the same file at a revision; its source exists while the context is open.

    UsageError if git, the revision, the file in it or the class in it is missing.
    """
    file = entry.file.resolve()
    root = Path(_git(file.parent, "rev-parse", "--show-toplevel", problem=f"{entry.file} is not in a git repository").strip())
    _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", problem=f"there is no revision {revision} in {root.name}")
    inside = file.relative_to(root.resolve()).as_posix()
    text = _git(root, "show", f"{revision}:{inside}", problem=f"{inside} does not exist at {revision}")
    with tempfile.TemporaryDirectory(prefix="checker-") as directory:
        former = Path(directory) / file.name
        former.write_text(text, encoding="utf-8")
        wanted = "" if entry.main else f":{entry.cls.__name__}"
        found = find(f"{former}{wanted}") if wanted else in_file(former)[0]
        try:
            yield Former(found, tuple(_changed(root, revision, inside, entry)))
        finally:
            sys.modules.pop(found.cls.__module__, None)
            if directory in sys.path:
                sys.path.remove(directory)


def _changed(root: Path, revision: str, inside: str, entry: Entry) -> Iterator[str]:
    """Modules that the model uses and that have changed since the revision."""
    used = {Path(str(getattr(sys.modules.get(base.__module__), "__file__", ""))).resolve() for base in entry.cls.__mro__}
    used |= {Path(str(getattr(sys.modules.get(p.__module__), "__file__", ""))).resolve() for p in entry.cls.properties}
    changed = _git(root, "diff", "--name-only", revision, "--", "*.py", problem="git diff failed").splitlines()
    for name in changed:
        if name != inside and (root / name).resolve() in used:
            yield f"{name} has changed since {revision} too: both sides use it as it is today"


def _git(directory: Path, *arguments: str, problem: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(directory), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UsageError("git is not installed", remedy="A comparison with a revision needs it; two files can be compared without.") from None
    if done.returncode != 0:
        raise UsageError(problem)
    return done.stdout

"""Which files belong to the repository: those below its root that git does not ignore and no installer put there.

A build server shows lines of those files only.  An environment inside the repository (a folder with `pyvenv.cfg`) is
found without git, and so is `site-packages`; git decides about all other files.  Without git, or outside of a git
repository, no file is ignored.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

INSTALLED = {"site-packages", "dist-packages"}


def repository() -> Path:
    """The root of the repository around the working directory, else that directory."""
    here = Path.cwd()
    return next((d for d in (here, *here.parents) if (d / ".git").exists()), here)


def relative(file: str) -> str:
    """A file's path from the root of the repository, if it is below the root."""
    root, path = repository(), Path(file).resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def portable(reference: str) -> str:
    """A reference that is the same in every clone: a file by its path in the repository."""
    file, colon, name = reference.partition(":")
    return f"{relative(file)}{colon}{name}" if file.endswith(".py") else reference


def own(file: str) -> str:
    """The path of a file of the repository from its root; the absolute path of another file."""
    path = Path(file).resolve()
    return relative(file) if _is_own(repository(), path) else str(path)


@cache
def _is_own(root: Path, path: Path) -> bool:
    if not path.is_relative_to(root):
        return False
    inside = path.relative_to(root)
    if not INSTALLED.isdisjoint(inside.parts) or any((root / p / "pyvenv.cfg").exists() for p in inside.parents):
        return False
    return not (root / ".git").exists() or not _is_ignored(root, path)


def _is_ignored(root: Path, path: Path) -> bool:
    """Whether git ignores a file: exit code 0 means that it does; it never ignores a tracked file."""
    command = ["git", "-C", str(root), "check-ignore", "--quiet", "--", str(path)]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False

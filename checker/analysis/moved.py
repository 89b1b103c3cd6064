"""Which Python files a change moves: the former place of each file that is new since a commit.

Git decides for the files that it follows: at least half of the lines are the same.  A new file that git does not follow
yet is compared in the same way with the files that are gone.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from checker.analysis.git import git

ALIKE = 0.5  # of the lines of both files, as git demands
_git = partial(git, problem="git diff failed", needed="The former version of a model needs it.")


def former_places(root: Path, commit: str) -> dict[str, str]:
    """The former name of each file that has moved, both relative to the root of the repository."""
    told = _git(root, "diff", "--find-renames", "--name-status", "-z", commit, "--", "*.py").split("\0")
    words, moved, gone = iter(told), dict[str, str](), list[str]()
    for status in words:
        if status.startswith(("R", "C")):
            former, now = next(words), next(words)
            moved.update({now: former} if status.startswith("R") else {})
        elif status:
            name = next(words)
            gone += [name] * (status == "D")
    return {**moved, **dict(_not_followed(root, commit, gone))}


def move_text(former: str, now: str) -> str:
    """A move in words."""
    return f"{former} → {now}"


def _not_followed(root: Path, commit: str, gone: list[str]) -> Iterator[tuple[str, str]]:
    """Each new file that git does not follow, with the most similar one of the files that are gone, each once."""
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.py").split("\0")
    before = {name: _git(root, "show", f"{commit}:{name}").splitlines() for name in gone} if any(new) else {}
    for name in filter(None, new):
        lines = (root / name).read_text(encoding="utf-8", errors="replace").splitlines()
        alike = {former: _likeness(text, lines) for former, text in before.items()}
        best = max(alike, key=lambda former: alike[former], default=None)
        if best is not None and alike[best] >= ALIKE:
            del before[best]
            yield name, best


def _likeness(a: list[str], b: list[str]) -> float:
    compared = difflib.SequenceMatcher(None, a, b, autojunk=False)
    return compared.ratio() if compared.real_quick_ratio() >= ALIKE and compared.quick_ratio() >= ALIKE else 0.0

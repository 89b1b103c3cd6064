"""Run git in a directory; a failure is one error with its remedy."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from checker.language.errors import UsageError


def git(
    directory: Path, *arguments: str, problem: str, remedy: str | Callable[[], str] | None = None, needed: str
) -> str:
    """The output of git.  Raises UsageError with the problem if git fails; `needed` names the feature that needs git,
    where git is missing.
    """
    try:
        done = subprocess.run(["git", "-C", str(directory), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise UsageError("git is not installed", remedy=needed) from None
    if done.returncode != 0 and "dubious ownership" in done.stderr:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        owner = next(line.removeprefix("fatal: ") for line in said if "dubious ownership" in line)
        command = next((line for line in said if line.startswith("git config")), "git config --global safe.directory")
        raise UsageError(f"git refuses to read this repository: {owner}", remedy=f"If you trust it: {command}")
    if done.returncode != 0:
        raise UsageError(problem, remedy=remedy() if callable(remedy) else remedy)
    return done.stdout


def has_commit(root: Path) -> bool:
    """Whether a repository has a commit."""
    try:
        git(root, "rev-parse", "--verify", "--quiet", "HEAD", problem="", needed="")
    except UsageError:
        return False
    return True


def require_commit(root: Path) -> None:
    """Raise UsageError in a repository without a commit: no revision of it can be named."""
    if not has_commit(root):
        what = f"{root.name} has no commit yet, so there is nothing to compare with"
        raise UsageError(what, remedy="Commit first. Until then `checker verify` verifies everything.")

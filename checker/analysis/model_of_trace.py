"""The model of a stored trace: a file of today, or of the git revision that the trace names.

A comparison with a revision (`checker compare --against HEAD`) shows runs of the model as it was.  Such a run is stored
with the commit, and can be executed again whatever the file is today, as long as the repository has the commit.

Reading a model executes it (`checker.trust`).  A commit is trusted if the repository is part of the project around the
current directory, and HEAD or a branch of its own has the commit: what was fetched from others, and is in no branch of
this repository, is asked about.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from checker.analysis.compare.revision import restored
from checker.analysis.git import git
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.revisions import Origin, read_already
from checker.trace.trace import Trace
from checker.trust import TRACE, find_named, is_trusted, require_consent
from checker.wording import short_revision

_git = partial(git, needed="The model of this trace is that of a git revision.")
_open = ExitStack()  # the sources of the models that were read, until the process ends
atexit.register(_open.close)


def model_of(trace: Trace) -> type[Model]:
    """The class whose run a trace is.  Raises UsageError if it no longer exists, or is not to be executed."""
    if not trace.revision:
        return find_named(trace.reference or trace.model, TRACE).cls
    file, _, name = trace.reference.rpartition(":")
    place = Path(file).absolute()
    there = next(folder for folder in place.parents if folder.is_dir())
    outside = f"{file}, the file of {TRACE}, is in no git repository"
    root = Path(_git(there, "rev-parse", "--show-toplevel", problem=outside, remedy=ELSEWHERE).strip()).resolve()
    inside = place.parent.resolve() / place.name
    if not file or not inside.is_relative_to(root):
        raise UsageError(f"{TRACE} names no file of a git repository: {trace.reference!r}", remedy=ELSEWHERE)
    origin = Origin(root, _in_commit(root, trace.revision, inside, file), trace.revision, dict(trace.renamed))
    found = read_already(origin, name)
    if found is None:
        what, known = f"{inside} at {short_revision(trace.revision)}", is_trusted(root / ".git")
        if not known:
            require_consent(what, TRACE, f"its repository, {root}, is not this project", "Read it.")
        elif not _in_own_branch(root, trace.revision):
            why = "no branch of this repository has the commit"
            require_consent(what, TRACE, why, f"Read it: `git show {short_revision(trace.revision)}:{origin.file}`.")
        found = _open.enter_context(restored(origin, name))
    assert issubclass(found, Model)
    return found


ELSEWHERE = "Start in the repository in which it was made. `checker show` prints the run without its model."


def _in_commit(root: Path, commit: str, place: Path, written: str) -> str:
    """The path of the file in the commit: as seen from here, or else from the root, where the file is gone today."""
    seen = place.relative_to(root).as_posix()
    return seen if place.exists() or not _has(root, f"{commit}:{written}") else written


def _has(root: Path, object_: str) -> bool:
    try:
        _git(root, "cat-file", "-e", object_, problem="")
    except UsageError:
        return False
    return True


def _in_own_branch(root: Path, commit: str) -> bool:
    """Whether HEAD or a branch of the repository has a commit; true for a missing one, which is told later."""
    if not _has(root, f"{commit}^{{commit}}"):
        return True
    found = _git(root, "for-each-ref", "--count=1", f"--contains={commit}", "refs/heads", problem="git fails")
    try:
        return bool(found.strip() or not _git(root, "merge-base", "--is-ancestor", commit, "HEAD", problem=""))
    except UsageError:
        return False

"""Which model files are executed because a stored file names them: a trace, or the work directory of a search.

A model is a Python file, and reading it runs it. A user who names a model on the command line wants to run it. A user
who opens a trace of somebody else does not expect this. A model that only a stored file names is therefore executed
without a question only if it is

* shipped with the checker, or already read in this process because the command line names it, or
* in the project: the working tree of the version control around the current directory, or else the current directory,
  and what lies below.

A directory that anybody may fill is no project: the home directory and those above it, folders for downloads, and
directories that all users may write. Below a project, a directory or file that all users may write, or that belongs to
another user, is not part of it.  Paths are compared after symbolic links and `..` are resolved.  For any other file the
user is asked at a terminal, and without a terminal the file is refused; `--trust` is consent in advance.

Source: the workspace trust of editors, and git's safe.directory.  Where it stops: a user who can write files of the
project can have them executed, by a trace or otherwise, and a model may import any module beside it.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from checker.language.errors import UsageError, shown
from checker.stored.owned import kept_from_strangers

if TYPE_CHECKING:
    from checker.catalogue import Entry

SHIPPED = (Path(__file__).parent / "models").resolve()
TRACE = "the trace"  # the name of a stored trace in messages
words: list[str] = []  # options of the command line, for the message
_trusting: list[bool] = []


def begin(arguments: list[str]) -> None:
    """Forget the trust of an earlier command: a command trusts nothing beyond the rule."""
    words[:] = arguments
    _trusting.clear()


def trust() -> None:
    """For the rest of the command, execute any model that a stored file names."""
    _trusting[:] = [True]


def find_named(reference: str, stored: Path | str) -> Entry:
    """The model that a stored file names.  Raises UsageError if it must not be executed."""
    from checker.catalogue import file_named, find

    file = file_named(reference)
    if os.path.exists(file) and not is_trusted(file):
        project = _project()
        where = "no directory here counts as a project" if project is None else f"outside of this project, {project}"
        require_consent(str(file.resolve()), stored, where, "Read that file.")
    if file.suffix == ".py" and not file.exists():
        where = f"neither here nor in a directory that contains {stored}" if stored == TRACE else "not here"
        raise UsageError(
            f"{stored} names the model file {file}, which is {where}",
            remedy="Start in the directory in which it was made, or restore the file.",
        )
    return find(reference)


def require_consent(what: str, stored: Path | str, why: str, advice: str) -> None:
    """Raise UsageError, unless the user trusts a model that a stored file names and that is not trusted unasked.  what:
    the file; why it is not trusted; advice: what to read before."""
    if not (_trusting or _confirmed(what, stored, why)):
        raise UsageError(
            f"{stored} names the model file {what}, which is not executed unasked: {why}",
            remedy=f"{advice} If you trust it: {_command()}",
        )


def is_trusted(file: Path) -> bool:
    """Whether the file is shipped, read already, or part of the project."""
    from checker.reading import is_read

    path = file.resolve()
    return is_read(path) or SHIPPED in path.parents or _in_project(path)


def _in_project(path: Path) -> bool:
    project = _project()
    if project is None or project not in path.parents:
        return False
    between = (place for place in path.parents if project in place.parents)
    return all(map(kept_from_strangers, (path, *between)))


def _project() -> Path | None:
    """The root of the project around the current directory; None if no directory may be a project."""
    try:
        here = Path.cwd().resolve()
    except OSError:  # the directory does not exist any more
        return None
    under_control = next((place for place in (here, *here.parents) if (place / ".git").exists()), here)
    return next((place for place in (under_control, here) if _may_be_project(place)), None)


def _may_be_project(place: Path) -> bool:
    home = Path(os.path.expanduser("~")).resolve()
    if place == home or place in home.parents or not kept_from_strangers(place):
        return False
    return not any(folder == place or folder in place.parents for folder in _downloads(home))


def _downloads(home: Path) -> Iterator[Path]:
    """Folders for downloaded files: those with the usual names, and those in the configuration of the desktop
    (xdg-user-dirs).
    """
    yield home / "Downloads"
    try:
        text = (Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "user-dirs.dirs").read_text(
            encoding="utf-8"
        )
    except (OSError, UnicodeDecodeError):
        return
    yield from (
        Path(name.replace("$HOME", str(home))).resolve()
        for name in re.findall(r'^XDG_DOWNLOAD_DIR="([^"]+)"', text, re.M)
        if name.rstrip("/") != "$HOME"
    )


def _confirmed(what: str, stored: Path | str, why: str) -> bool:
    """Whether the user, at a terminal, agrees to execute a file."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    import click

    question = f"{stored} names the model file {shown(what)}: {why}. Execute it?"
    return click.confirm(question, default=False, err=True)


def _command() -> str:
    """This command, with --trust."""
    return shlex.join(["checker", words[0], "--trust", *words[1:]]) if words else "checker.trust.trust()"

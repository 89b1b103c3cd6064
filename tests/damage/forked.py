"""Commands run in forked children of a process that has the checker loaded: quick, and a signal kills the child only.

`run` starts that process, `main` is what it does.  A trial is a
directory that is copied, files in it that are changed, and commands that are run there one after the other.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

SECONDS, WAITING = 30, 600
"""Processor time of a trial, which other load does not use up, and what ends a trial that waits for ever."""
DIRECTORY = b"\0directory"
REPORT, CACHE = "report.json", "cache"
VARYING = ("seconds", "peak_memory")
ROOT = Path(__file__).resolve().parents[2]


@frozen
class Trial:
    """What to damage: `edits` gives files new content; None: the file is gone, DIRECTORY: a directory takes its place.

    Commands are arguments of the command line, or the function `module:name`, which is called with no arguments.
    """

    kind: str
    label: str
    pristine: Path
    edits: Mapping[str, bytes | None]
    commands: tuple[tuple[str, ...], ...]


@frozen
class Ended:
    """How the commands ended: exit codes (negative: a signal), what they wrote, the report without times, and which of
    the edited files were written anew."""

    codes: tuple[int, ...]
    out: str
    err: str
    report: Any
    rewritten: tuple[str, ...]


def run(trials: Sequence[Trial]) -> list[Ended]:
    """Run all trials in a new process."""
    if not trials:
        return []
    done = subprocess.run(
        [sys.executable, "-c", "from tests.damage.forked import main; main()"],
        input=pickle.dumps(list(trials)),
        capture_output=True,
        cwd=ROOT,
        env=_environment(),
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    ended: list[Ended] = pickle.loads(done.stdout)
    return ended


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}


# ---- in the process that forks


def _load() -> None:
    """What every command needs, so that no child has to import it."""
    import checker.backends.native.kernel
    import checker.report.write  # noqa: F401
    from checker.cli.commands import TABLE, command

    for name in TABLE:
        command(name)


def _load_as(names: str) -> None:
    """What a child has imported, so that those after it have it, too."""
    for name in names.split():
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _imported(place: Path) -> Iterator[str]:
    """The modules that are imported, without those of the directory of a trial."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is not None and not Path(file).is_relative_to(place) and name == getattr(module, "__name__", ""):
            yield name


def ended(trial: Trial) -> Ended:
    """Copy, damage, run in a child, and look."""
    with tempfile.TemporaryDirectory(prefix="damage-") as name:
        place = Path(name) / "here"
        shutil.copytree(trial.pristine, place)
        for file, content in trial.edits.items():
            _damage(place / file, content)
        out, err, codes, modules = (Path(name) / part for part in ("out", "err", "codes", "modules"))
        child = os.fork()
        if child == 0:
            _child(place, trial.commands, out, err, codes, modules)
        _, status = os.waitpid(child, 0)
        _load_as(_text(modules))
        found = tuple(int(line) for line in codes.read_text().split()) if codes.exists() else ()
        if os.WIFSIGNALED(status):
            found = (*found, -os.WTERMSIG(status))
        rewritten = tuple(
            file for file, content in trial.edits.items() if content != DIRECTORY and _content(place / file) != content
        )
        return Ended(found, _text(out), _text(err), _report(place), rewritten)


def _damage(path: Path, content: bytes | None) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    if content == DIRECTORY:
        path.mkdir()
    elif content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o600)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def _report(place: Path) -> Any:
    file = place / REPORT
    try:
        return without_times(json.loads(file.read_bytes())) if file.exists() else None
    except ValueError as error:
        return f"no JSON: {error}"


def without_times(data: Any) -> Any:
    """A report without what differs from run to run."""
    if isinstance(data, dict):
        return {name: without_times(value) for name, value in data.items() if name not in VARYING}
    return [without_times(item) for item in data] if isinstance(data, list) else data


def _child(place: Path, commands: Sequence[tuple[str, ...]], out: Path, err: Path, codes: Path, modules: Path) -> None:
    """Run the commands and end the process."""
    code, loaded = 99, set(sys.modules)
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        signal.alarm(WAITING)
        os.fsync = lambda _: None  # no power is lost here
        os.chdir(place)
        os.environ["XDG_CACHE_HOME"] = str(place / CACHE)
        for number, path in ((1, out), (2, err)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        sys.stdin = io.StringIO("1\nback\n?\nq\n")
        with codes.open("w") as file:
            for command in commands:
                print(_call(command), file=file, flush=True)
        modules.write_text("\n".join(name for name in _imported(place) if name not in loaded), encoding="utf-8")
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _call(command: Sequence[str]) -> int:
    if len(command) == 1 and ":" in command[0]:
        module, _, name = command[0].partition(":")
        return int(getattr(importlib.import_module(module), name)())
    from checker.cli.program import run as checker

    return checker(list(command))


def main() -> None:
    """Trials from standard input, how they ended to standard output."""
    trials = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    _load()
    pickle.dump([ended(trial) for trial in trials], answers)
    answers.close()

"""Every kind of file that the program reads back, each made once by the program itself, and the command that reads it.

A `Kind` is a directory as the program left it, the commands that read it, the files in it that may be damaged, and
whether what is damaged is made again (a cache) or refused.  Directories of several shards are made with tasks in this
process, as Spark makes them with tasks elsewhere.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

from attrs import frozen

from checker.backends.native.kernel import NativeKernel
from checker.catalogue import find
from checker.cli.program import run as checker
from checker.contract import Source
from checker.engines.checkpointed import of_all_states, opened
from checker.engines.committed import HEADER, explored_from
from checker.engines.placement import Placement
from checker.engines.request import Request
from checker.language.define import define
from checker.search.block_files import read_block
from checker.search.breadth_first import search
from checker.search.checkpoint import Checkpoint
from checker.search.limits import Limits
from checker.search.spark.driver import Driver
from checker.search.spark.job import Job
from checker.search.workdir import WorkDirectory
from tests.damage.forked import CACHE, REPORT, ROOT
from tests.search.spark.tasks import HereTasks

MODEL = '''"""Two clients send a number each to a server, which adds them up; the last word may be lost."""

from __future__ import annotations

from checker.language import Bool, Ids, Int, Map, Model, Optional, Set, action, const, invariant, quiescent, reachable, require, var


class Sums(Model):
    """A sum of what clients send."""

    clients = const(2, "who sends")
    most = const(3, "the largest number")
    Client = Ids("c", clients)
    outcome = ("total",)
    sent = var(Map[Client, Optional[Int(0, most)]])
    taken = var(Set[Client])
    total = var(Int(0, clients * most), 0)
    closed = var(Bool, False)

    @action
    def send(self, c: Client, n: Int(0, most)):
        require(self.sent[c] is None)
        self.sent[c] = n

    @action
    def take(self, c: Client):
        n = self.sent[c]
        require(n is not None and c not in self.taken and not self.closed)
        self.taken.add(c)
        self.total += n

    @action
    def close(self):
        require(not self.closed and len(self.taken) > 0)
        self.closed = True

    @invariant
    def in_bounds(self) -> bool:
        return self.total <= 6

    @quiescent
    def ends_closed(self) -> bool:
        return self.closed

    @reachable
    def a_sum_of_five(self) -> bool:
        return self.total == 5


class Exact(Sums):
    """EDIT: nobody may stop early, a claim that is wrong."""

    @quiescent
    def all_taken(self) -> bool:
        return len(self.taken) == len(self.Client)
'''  # noqa: E501
CHECK = ("check", "sums.py", "--json", REPORT)
RESUME = ("resume", "work", "--json", REPORT)


@frozen
class Kind:
    """Files of one kind.  made_again: damage costs time only; commands see the directory as the current one."""

    name: str
    pristine: Path
    files: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    made_again: bool = False


def kinds(place: Path) -> Iterator[Kind]:
    """Make every kind below a directory."""
    base = place / "base"
    base.mkdir()
    (base / "sums.py").write_text(MODEL, encoding="utf-8")
    environment = {**os.environ, "XDG_CACHE_HOME": str(base / CACHE), "PYTHONPATH": str(ROOT)}
    # which loads nothing from here
    subprocess.run(
        [sys.executable, "-m", "checker", *CHECK], cwd=base, env=environment, check=True, capture_output=True
    )
    code = base / CACHE / "checker" / "code"
    yield Kind(
        "machine code",
        _copied(base, place / "code"),
        tuple(sorted(str(f.relative_to(base)) for f in code.iterdir())),
        (CHECK,),
        made_again=True,
    )
    _checker(base, "check", "sums.py:Exact", "--all")
    yield from _work_directories(base, place)
    yield from _traces(base, place)


# ---- work directories

STAGES: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("stopped", (("check", "sums.py", "--workdir", "work", "--max-depth", "3"),)),
    ("finished", (("check", "sums.py", "--workdir", "work"),)),
    (
        "stopped and resumed",
        (("check", "sums.py", "--workdir", "work", "--max-depth", "2"), ("resume", "work", "--max-depth", "4")),
    ),
    ("violated", (("check", "sums.py:Exact", "--workdir", "work"),)),
    ("violated, searched to the end", (("check", "sums.py:Exact", "--all", "--workdir", "work"),)),
)


def _work_directories(base: Path, place: Path) -> Iterator[Kind]:
    for stage, commands in STAGES:
        made = _copied(base, place / stage.replace(" ", "-"))
        for command in commands:
            _checker(made, *command)
        yield Kind(f"work directory, {stage}", made, _files(made), (RESUME,))
    for stage, depth in (("several shards, stopped", 4), ("several shards, finished", None)):
        made = _copied(base, place / stage.replace(" ", "-"))
        _there(made, partial(_on_shards, 3, depth))
        yield Kind(f"work directory, {stage}", made, _files(made), (RESUME,))
        yield Kind(
            f"work directory, {stage}, on shards", made, _files(made), (("tests.damage.kinds:resume_on_shards",),)
        )


def _opened(request: Request) -> tuple[NativeKernel, WorkDirectory]:
    """The kernel and the work directory of a search."""
    prepared, work = opened(request, of_all_states(request, partial(explored_from, request, bound=None)))
    return prepared.kernel, work


def _on_shards(shards: int, depth: int | None) -> None:
    """A new search in `work` that is handed over to tasks at once."""
    definition = define(find("sums.py").cls, {}, None)
    kernel, work = _opened(Request(definition, "sums.py", placement=Placement("work")))
    with work:
        search(cast(Source, kernel), checkpoint=Checkpoint(work, kernel.words, 0))
        _drive(kernel, work, shards, Limits(max_depth=depth))


def _drive(kernel: Any, work: WorkDirectory, shards: int, limits: Limits) -> None:
    job = Job(f"{work.identity} {shards} {os.getpid()}", lambda: cast(Source, kernel), work.folder, shards)
    Driver(work, job, HereTasks(), kernel.findings, limits, True).run()


def resume_on_shards() -> int:
    """Go on with the search in `work` on two shards, and report what the manifests and the states add up to."""
    from checker.engines.committed import stored_search
    from checker.language.errors import UsageError
    from checker.stored.errors import StoredFileError

    try:
        stored = stored_search("work")
        definition = define(stored.entry.cls, stored.constants, stored.only)
        request = Request(definition, stored.entry.reference, stored.only, placement=Placement("work", resume=True))
        kernel, work = _opened(request)
        with work:
            _drive(kernel, work, 2, Limits())
            found = explored_from(request, kernel, work, None)
            states = sum(len(read_block(work.data, b, kernel.words)) for level in work.levels for b in level.files)
        counts = (
            found.distinct,
            found.transitions,
            found.depth,
            found.initial,
            found.quiescent,
            states,
            len(found.outcomes()),
        )
        paths = [[repr(state) for state in f.path()] for f in found.found]
    except (StoredFileError, UsageError) as error:
        os.write(2, f"error: {error}\n".encode())
        return 2
    Path(REPORT).write_text(json.dumps([counts, paths]))
    return 0


def header_of(directory: Path) -> tuple[str, dict[str, Any]]:
    """Identity and content of a `search.json`."""
    with WorkDirectory.open(directory, HEADER) as work:
        return work.identity, work.header


# ---- traces


def _traces(base: Path, place: Path) -> Iterator[Kind]:
    made = _copied(base, place / "trace")
    _checker(made, "check", "sums.py:Exact", "--out", "out")
    file = sorted((made / "out").glob("*all_taken/trace.itf.json"))[0]
    shutil.copy(file, made / "trace.itf.json")
    shutil.rmtree(made / "out")
    reading = (
        ("show", "trace.itf.json"),
        ("replay", "trace.itf.json"),
        ("explain", "trace.itf.json"),
        ("step", "--trace", "trace.itf.json"),
    )
    yield Kind("trace", made, ("trace.itf.json",), reading)
    yield Kind("model of a trace", made, ("sums.py",), reading[1:3])


# ---- running commands


def _copied(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    return target


def _files(directory: Path) -> tuple[str, ...]:
    """Files of the work directory; the lock is made again by whoever opens it."""
    inner = directory / "work"
    return tuple(sorted(str(f.relative_to(directory)) for f in inner.rglob("*") if f.is_file()))


def _there(place: Path, function: Callable[[], Any]) -> Any:
    before, cache = Path.cwd(), os.environ.get("XDG_CACHE_HOME")
    os.chdir(place)
    os.environ["XDG_CACHE_HOME"] = str(place / CACHE)
    try:
        return function()
    finally:
        os.chdir(before)
        os.environ.pop("XDG_CACHE_HOME")
        if cache is not None:
            os.environ["XDG_CACHE_HOME"] = cache


def _checker(place: Path, *arguments: str) -> int:
    """Run a command there; its output is not wanted."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code: int = _there(place, lambda: checker(list(arguments)))
    assert code in (0, 1, 4), (arguments, code)
    return code

"""A real control group, nested in another that has the limit: a search in it keeps within the limit and is not killed.

A group is made below that of this process, so all other limits stay.  Version 2 takes no process into a group whose
controllers are handed on, so there the tests need a group made for them, and are skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.search import control_group

pytestmark = pytest.mark.thorough
LIMIT = 300 << 20
COUNTS = (10_340_352, 123_558_401)
"""Of two-phase commit with nine managers (benchmarks/scale.md): states, transitions."""


def own_group() -> Path:
    """The group of this process in the hierarchy of version 1 that bounds memory."""
    for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
        _, controllers, group = line.split(":", 2)
        if "memory" in controllers.split(","):
            return Path("/sys/fs/cgroup/memory", group.lstrip("/"))
    pytest.skip("no hierarchy of version 1 with memory")


@pytest.fixture
def group() -> Iterator[Path]:
    """A group without a limit in one with LIMIT."""
    outer = own_group() / f"checker-tests-{os.getpid()}"
    inner = outer / "inner"
    try:
        outer.mkdir()
        inner.mkdir()
        (outer / "memory.limit_in_bytes").write_text(str(LIMIT), encoding="ascii")
    except OSError as error:
        for made in (inner, outer):
            if made.is_dir():
                made.rmdir()
        pytest.skip(f"no control group can be made here: {error}")
    try:
        yield inner
    finally:
        inner.rmdir()
        outer.rmdir()


def within(group: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A process of Python, in a group from its beginning."""
    entering = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
    asked = ["sh", "-c", entering, str(group), sys.executable, *words]
    return subprocess.run(asked, capture_output=True, text=True, timeout=300)


def killed(group: Path) -> int:
    """Processes that the system ended because of the limit."""
    lines = (group.parent / "memory.oom_control").read_text(encoding="ascii").splitlines()
    return int(dict(line.split() for line in lines).get("oom_kill", 0))


def test_the_limit_of_the_outer_group_is_the_memory_there_is(group: Path) -> None:
    """As a process in the inner group reads it."""
    asked = "from checker.search.memory import *; print(physical_memory(), available_memory())"
    all_of_it, free = map(int, within(group, "-c", asked).stdout.split())
    assert all_of_it == LIMIT
    assert 0 < free < LIMIT
    assert LIMIT not in [bound.limit for bound in control_group.bounds()]


@pytest.mark.parametrize("code", [4, 0], ids=["in memory", "beyond memory"])
def test_a_search_ends_by_itself(group: Path, code: int, tmp_path: Path) -> None:
    """Ten million states need more than the limit: a search stops, or goes on on disk with exact counts."""
    asked = ["check", TWO_PHASE_COMMIT, "-D", "managers=9", "--threads", "1", "--json", str(tmp_path / "found.json")]
    done = within(group, "-m", "checker", *asked, *(() if code else ("--spill", str(tmp_path))))
    assert done.returncode == code, done.stderr
    assert killed(group) == 0
    if code:
        assert "stopped by the limit on memory" in done.stdout
    else:
        report = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
        assert (report["distinct"], report["transitions"]) == COUNTS

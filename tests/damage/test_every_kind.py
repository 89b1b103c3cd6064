"""Each kind of file that the program reads back, and each way to spoil it: no kind is without a test.

The modules that write files are found in the source text.  A module that begins to write, or a new kind of sealed file,
fails here until its kind has a row below; a file that appears in a work directory or in the cache and belongs to no row
fails, too.
"""

from __future__ import annotations

import ast
import fnmatch
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from attrs import frozen

from tests.damage.forked import CACHE, REPORT, ROOT, Ended, Trial, run
from tests.damage.kinds import CHECK, MODEL, RESUME, _checker
from tests.mentioning import mentioning
from tests.search.spark import test_stored_files
from tests.stored import test_cache

pytest.importorskip("duckdb")

QUERY = ("query", "work", "SELECT count(*), sum(total) FROM states", "--json", REPORT)
ASKED = (QUERY[0], "asked", *QUERY[2:])
SHOW = ("show", "trace.itf.json")
DAMAGES = ("cut", "one byte changed", "missing", "of another search", "of a newer version")


@frozen
class Row:
    """A kind of file.  pattern: its path from where commands run; command: reads it; end: "refused", with its name, or
    "as before"; versions: where the file says its format, None if the manifest above it does; except_: other ends.
    """

    pattern: str
    command: tuple[str, ...]
    end: str
    version: str | None = None
    except_: Mapping[str, str] = {}


KINDS = {
    "machine-code": Row(f"{CACHE}/checker/code/*.o", CHECK, "as before", r"checker machine-code (\d+)"),
    "search": Row("work/search.json", RESUME, "refused", r'"format": (\d+)'),
    "level": Row("work/levels/*.json", RESUME, "refused", r'"format": (\d+)'),
    "states": Row("work/data/*-states-*", RESUME, "refused"),
    "quiescent states": Row("work/data/*-ends-*", RESUME, "refused"),
    "graph": Row("work/graph.json", QUERY, "as before", r'"format": (\d+)'),
    "table": Row("work/graph-*/*/*", QUERY, "as before"),
    "types": Row("asked/graph-*/types.json", ASKED, "as before", r'"format": (\d+)'),
    "columns": Row("asked/graph-*/made-*.json", ASKED, "as before", r'"format": (\d+)'),
    "some columns": Row("asked/graph-*/*.parquet", ASKED, "as before"),
    "trace": Row(
        "trace.itf.json",
        SHOW,
        "refused",
        r'"layout": (\d+)',
        {"one byte changed": "as it stands", "of another search": "as it stands"},
    ),
}
ELSEWHERE: dict[str, Callable[..., None]] = {
    "note": test_cache.test_a_note_that_is_not_what_was_written_counts_for_nothing,
    "candidates": test_stored_files.test_a_damaged_candidate_file_ends_the_search_with_its_name,
    "report of a task": test_stored_files.test_whatever_stands_in_the_place_of_a_report_of_a_task_is_passed_over,
}
"""Kinds that exist only while tasks run, or only after a long search."""

WRITERS = {
    "stored/machine_code.py": {"machine-code"},
    "stored/notes.py": {"note"},
    "search/workdir.py": {"search", "level"},
    "search/block_files.py": {"states", "quiescent states"},
    "search/spark/alive.py": {"report of a task"},
    "search/folders.py": set[str](),  # the owner of `publish` and `create`; its lock is made again by whoever opens it
    "analysis/graph/kept.py": {"graph"},
    "analysis/graph/lists.py": {"types", "columns"},
    "analysis/graph/made.py": {"table", "some columns"},
    "analysis/graph/opened.py": {"graph"},
    "analysis/graph/on_spark.py": set(),  # copies of tables, beside the search
    "trace/itf.py": {"trace"},
    "engines/spark.py": {"candidates"},  # and targets of paths, which are written and read likewise
    "search/checkpoint.py": {"states", "quiescent states"},
    "search/out_of_core.py": {"states", "quiescent states"},
    "report/write.py": set(),  # nothing of the checker reads reports
}
"""What each module that writes files writes, of what is read back."""
WRITING = {"seal", "seal_json", "write_whole", "write_where_named", "write_blocks", "publish", "create"}
OWNERS = ("stored/sealed.py", "stored/whole.py")
NOT_FILES = {("engines/checkpointed.py", "create"), ("engines/spilling.py", "create")}
"""`WorkDirectory.create`, which writes through search/workdir.py."""


@cache
def calls() -> tuple[tuple[str, ast.Call, str], ...]:
    """Each call of something that writes a file: the module, the call, the name of what is called."""
    return tuple(_calls())


def _calls() -> Iterator[tuple[str, ast.Call, str]]:
    for path, tree in mentioning(sorted((ROOT / "checker").rglob("*.py")), "|".join(WRITING)):
        module = str(path.relative_to(ROOT / "checker"))
        if module in OWNERS or module.startswith(("models/", "properties/")):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
                if name in WRITING and (module, name) not in NOT_FILES:
                    yield module, node, name


def test_each_module_that_writes_files_has_its_kinds_here() -> None:
    """And each kind that is written has a row, or a test of its own."""
    assert sorted({module for module, _, _ in calls()}) == sorted(WRITERS)
    assert set().union(*WRITERS.values()) == {*KINDS, *ELSEWHERE}


def test_each_kind_of_sealed_file_has_a_row() -> None:
    """The first argument of `seal` and `seal_json` is the kind, as a text or as `_KIND` of the module."""
    found = set()
    for module, call, name in calls():
        if name in ("seal", "seal_json"):
            kind = call.args[0]
            if isinstance(kind, ast.Name):
                named = re.search(rf'^{kind.id} = "([^"]+)"', (ROOT / "checker" / module).read_text(), re.MULTILINE)
                assert named is not None
                found.add(named[1])
            else:
                assert isinstance(kind, ast.Constant)
                found.add(str(kind.value))
    assert found == {"machine-code", "note", "search", "level", "graph", "types", "columns"} and found <= {
        *KINDS,
        *ELSEWHERE,
    }


@pytest.fixture(scope="module")
def searches(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two searches of a model with other constants, each with its cache, its tables and a trace."""
    made = []
    for name, most in (("one", 3), ("other", 2)):
        place = tmp_path_factory.mktemp(name)
        (place / "sums.py").write_text(MODEL.replace("const(3", f"const({most}"), encoding="utf-8")
        _checker(place, "check", "sums.py:Exact", "--out", "out")
        (trace,) = (place / "out").glob("*all_taken/trace.itf.json")
        trace.rename(place / "trace.itf.json")
        _checker(place, "check", "sums.py", "--workdir", "work", "--keep-graph")
        _checker(place, "check", "sums.py", "--workdir", "asked")
        _checker(place, *ASKED)
        environment = {**os.environ, "XDG_CACHE_HOME": str(place / CACHE), "PYTHONPATH": str(ROOT)}
        program = [sys.executable, "-m", "checker", *CHECK]  # a process of its own has no code in memory
        assert subprocess.run(program, cwd=place, env=environment, check=False, capture_output=True).returncode in (
            0,
            1,
        )
        made.append(place)
    return made[0], made[1]


def files(place: Path, pattern: str) -> list[str]:
    """Paths below a directory that fit a pattern."""
    every = (str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())
    return sorted(file for file in every if fnmatch.fnmatch(file, pattern))


def test_each_file_of_a_search_is_of_one_kind(searches: tuple[Path, Path]) -> None:
    """What lies in a work directory and in the cache; locks have no content."""
    kept = [file for pattern in ("work/*", "asked/graph-*", f"{CACHE}/*") for file in files(searches[0], pattern)]
    for file in kept:
        fitting = [kind for kind, row in KINDS.items() if fnmatch.fnmatch(file, row.pattern)]
        assert len(fitting) == 1 or file.endswith(".lock"), file
    assert all(files(searches[0], row.pattern) for row in KINDS.values())


def damaged(row: Row, how: str, data: bytes, other: bytes) -> bytes | None:
    """The content of a file after a damage."""
    if how == "missing":
        return None
    if how == "cut":
        return data[: len(data) // 2]
    if how == "of another search":
        return other
    if how == "of a newer version":
        assert row.version is not None
        found = re.search(row.version.encode(), data)
        assert found is not None
        return data[: found.start(1)] + b"9" + data[found.end(1) :]
    place = len(data) * 2 // 3
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


CASES = [(kind, how) for kind, row in KINDS.items() for how in DAMAGES if row.version or how != DAMAGES[-1]]


@pytest.fixture(scope="module")
def ends(searches: tuple[Path, Path]) -> dict[tuple[str, str], tuple[str, Ended, Ended]]:
    """For each kind and damage the name of the damaged file, and how the command ended before and after it."""
    one, other = searches
    trials, names = [], []
    for kind, how in CASES:
        row = KINDS[kind]
        mine, theirs = files(one, row.pattern), files(other, row.pattern)
        place = len(mine) // 2
        content = damaged(row, how, (one / mine[place]).read_bytes(), (other / theirs[len(theirs) // 2]).read_bytes())
        names.append(mine[place])
        trials.append(Trial(kind, how, one, {mine[place]: content}, (row.command,)))
    undamaged = [Trial(kind, "nothing", one, {}, (row.command,)) for kind, row in KINDS.items()]
    ended = run([*undamaged, *trials])
    before = dict(zip(KINDS, ended))
    assert all(set(e.codes) <= {0, 1} for e in before.values())
    return {
        (kind, how): (name, before[kind], after)
        for (kind, how), name, after in zip(CASES, names, ended[len(KINDS) :], strict=True)
    }


@pytest.mark.parametrize(("kind", "how"), CASES)
def test_a_file_that_is_not_what_was_written(
    ends: dict[tuple[str, str], tuple[str, Ended, Ended]], kind: str, how: str
) -> None:
    """Refused by its name, with exit code 2; or the report of the undamaged file."""
    name, before, after = ends[kind, how]
    end = KINDS[kind].except_.get(how, KINDS[kind].end)
    assert "Traceback" not in after.err and "internal error" not in after.err
    if end == "refused":
        assert after.codes == (2,) and Path(name).name in after.err, after
        if how == "of a newer version":
            assert "version" in after.err or "layout" in after.err
    elif end == "as before":
        assert (after.codes, after.report) == (before.codes, before.report), after
    else:
        assert set(after.codes) <= {0, 1, 2}

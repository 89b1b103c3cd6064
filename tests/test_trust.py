"""A model file that only a trace or a work directory names is executed without a question in the project alone."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.trust import is_trusted
from tests.cli.commands import Ran

Checker = Callable[..., Ran]

MODEL = """from pathlib import Path
from checker.language import Int, Model, action, invariant, var

Path(__file__).with_suffix(".executed").touch()


class Stranger(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self):
        self.n = (self.n + 1) % 10

    @invariant
    def small(self):
        return self.n < 3
"""
COMMANDS = {
    "replay": ("replay", "trace.itf.json"),
    "explain": ("explain", "trace.itf.json"),
    "step": ("step", "--trace", "trace.itf.json"),
    "explore": ("explore", "trace.itf.json", "--no-browser"),
    "resume": ("resume", "kept"),
    "query": ("query", "kept", "SELECT * FROM levels"),
}
ENDLESS = ("query", "explore")
"""Commands that go on until Ctrl-C, or need the model no more once they have what they keep."""
by_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")


@pytest.fixture
def elsewhere(here: Path, checker: Checker, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model outside of the project; a trace and a work directory in the project name it. The model is not read in
    this process any more."""
    (here / "elsewhere").mkdir()
    (here / "project").mkdir()
    model = here / "elsewhere" / "stranger.py"
    model.write_text(MODEL)
    monkeypatch.chdir(here / "project")
    monkeypatch.setattr("sys.stdin", open(os.devnull))
    assert checker("check", str(model), "--out", "out").code == 1
    assert checker("check", str(model), "--max-depth", "1", "--workdir", "kept").code == 4
    shutil.move("out/stranger-small/trace.itf.json", "trace.itf.json")
    forget(model)
    return model


def forget(model: Path) -> None:
    """As if a new process began."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == str(model.resolve()):
            del sys.modules[name]
    executed(model).unlink(missing_ok=True)


def executed(model: Path) -> Path:
    """The file that the model writes when it is executed."""
    return model.with_suffix(".executed")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_model_outside_of_the_project_is_not_executed(
    checker: Checker, elsewhere: Path, command: tuple[str, ...]
) -> None:
    """Exit code 2, the file, why, and the command that trusts it."""
    ran = checker(*command)
    assert ran.code == 2
    assert not executed(elsewhere).exists()
    assert str(elsewhere) in ran.err and "outside of this project" in ran.err
    assert f"checker {command[0]} --trust {command[1]}" in ran.err


@pytest.mark.parametrize(
    "command", [c for n, c in COMMANDS.items() if n not in ENDLESS], ids=[n for n in COMMANDS if n not in ENDLESS]
)
def test_with_trust_it_is_executed(checker: Checker, elsewhere: Path, command: tuple[str, ...]) -> None:
    """For this command alone: the next one asks again."""
    assert checker(command[0], "--trust", *command[1:]).code in (0, 1)
    assert executed(elsewhere).exists()
    forget(elsewhere)
    assert checker(*command).code == 2


@pytest.mark.parametrize("answer, code", [("y\n", 0), ("n\n", 2), ("\n", 2)])
def test_on_a_terminal_it_is_asked(
    checker: Checker, elsewhere: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int
) -> None:
    """The answer that is given by Enter alone is no."""
    asked = []

    def confirm(text: str, default: bool, err: bool) -> bool:
        asked.append(text)
        return answer == "y\n" or default and answer == "\n"

    monkeypatch.setattr("click.confirm", confirm)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert checker("replay", "trace.itf.json").code == code
    assert len(asked) == 1 and "stranger.py" in asked[0]
    assert executed(elsewhere).exists() == (code == 0)


def test_show_needs_no_model(checker: Checker, elsewhere: Path) -> None:
    """Neither to print the run nor to draw it again; the pages then say nothing of the model."""
    assert checker("show", "trace.itf.json").code == 0
    assert checker("show", "trace.itf.json", "--out", "again").code == 0
    assert not executed(elsewhere).exists()


def test_the_project_is_what_lies_below_the_current_directory(
    checker: Checker, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or below the root of its version control."""
    monkeypatch.chdir(elsewhere.parent.parent)
    assert is_trusted(elsewhere)
    (elsewhere.parent / "deep").mkdir()
    monkeypatch.chdir(elsewhere.parent / "deep")
    assert not is_trusted(elsewhere)
    (elsewhere.parent / ".git").mkdir()
    assert is_trusted(elsewhere)


def test_links_and_dots_are_resolved(elsewhere: Path) -> None:
    """A link in the project to a file outside, and a way out of it, lead outside."""
    Path("link.py").symlink_to(elsewhere)
    Path("folder").symlink_to(elsewhere.parent)
    Path("own.py").write_text(MODEL)
    assert [
        is_trusted(Path(p))
        for p in ("own.py", "./x/../own.py", "link.py", "folder/stranger.py", "../elsewhere/stranger.py")
    ] == [True, True, False, False, False]


def test_a_model_that_the_command_line_named_is_trusted(checker: Checker, elsewhere: Path) -> None:
    """It has been executed in this process: the reports of `check --out` explain its runs."""
    ran = checker("check", str(elsewhere), "--out", "again")
    assert ran.code == 1
    assert "show the stored run alone" not in ran.err


def test_shipped_models_are_trusted_anywhere(here: Path) -> None:
    """A trace of one is replayed where it was sent to."""
    from checker import models

    assert is_trusted(Path(str(models.__path__[0])) / "isis.py")


def test_the_home_directory_and_folders_for_downloads_are_no_projects(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sends a trace with its model has both there; under version control or not."""
    monkeypatch.setenv("HOME", str(here / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(here / "home" / "config"))
    for folder, ours in (
        ("home", False),
        ("home/Downloads", False),
        ("home/Downloads/unpacked", False),
        ("home/Geladen", False),
        ("home/work", True),
        ("", False),
    ):
        (here / folder).mkdir(exist_ok=True, parents=True)
        (here / "home" / "config").mkdir(exist_ok=True)
        (here / "home" / "config" / "user-dirs.dirs").write_text('XDG_DOWNLOAD_DIR="$HOME/Geladen"\n')
        (here / folder / "m.py").write_text(MODEL)
        monkeypatch.chdir(here / folder)
        assert is_trusted(Path("m.py")) == ours, folder


def test_what_other_users_may_write_is_no_part_of_the_project(here: Path) -> None:
    """A directory like /tmp, or a file in the project."""
    Path("shared").mkdir()
    Path("shared/m.py").write_text(MODEL)
    assert is_trusted(Path("shared/m.py"))
    Path("shared").chmod(0o1777)
    assert not is_trusted(Path("shared/m.py"))
    Path("shared").chmod(0o755)
    Path("shared/m.py").chmod(0o666)
    assert not is_trusted(Path("shared/m.py"))
    Path("shared/m.py").chmod(0o644)
    here.chmod(0o777)
    assert not is_trusted(Path("shared/m.py"))
    here.chmod(0o700)


@by_root
def test_what_belongs_to_another_user_is_no_part_of_the_project(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Except for root, who is asked what root is asked for elsewhere: to be careful."""
    Path("m.py").write_text(MODEL)
    os.chown("m.py", 12345, 12345)
    assert is_trusted(Path("m.py"))
    monkeypatch.setattr("os.geteuid", lambda: 4711)
    assert not is_trusted(Path("m.py"))
    os.chown("m.py", 0, 0)
    os.chown(here, 4711, 4711)
    assert is_trusted(Path("m.py"))


@pytest.mark.parametrize(
    "reference",
    [
        "evil.module:Class",
        "os:System",
        "../elsewhere/stranger",
        "/dev/null",
        "~/x.py",
        "",
        ":",
        "a:",
        "\\0.py",
        "stranger.py\\n:X",
    ],
)
def test_odd_references_execute_nothing(checker: Checker, elsewhere: Path, reference: str) -> None:
    """Names of modules are no references; a file must be there, and be trusted."""
    text = Path("trace.itf.json").read_text()
    import json

    data = json.loads(text)
    changed = json.dumps(data).replace(
        json.dumps(str(elsewhere))[1:-1], json.dumps(reference.encode().decode("unicode_escape"))[1:-1]
    )
    Path("odd.itf.json").write_text(changed)
    ran = checker("replay", "odd.itf.json")
    assert ran.code == 2, ran.err
    assert not executed(elsewhere).exists()

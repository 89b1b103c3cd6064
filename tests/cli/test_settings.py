"""`[tool.checker]` in pyproject.toml: what stands for options that are not given, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from checker.cli.settings import KEYS, setting

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ci.md"


def settings(text: str, file: str = "pyproject.toml") -> None:
    """Write them."""
    Path(file).write_text(f'[project]\nname = "x"\n\n[tool.checker]\n{text}\n', encoding="utf-8")


def test_a_setting_stands_for_an_option_that_is_not_given(checker: Any, lock: str) -> None:
    """In every command that has the option; the command line wins."""
    settings("max-states = 2")
    assert checker("check", lock).code == 4
    assert checker("check", lock, "--max-states", "100").code == 0
    assert checker("outcomes", lock).code != 0
    assert checker("list", lock).code == 0
    settings("threads = 2")
    assert "[default: 2; 1<=x<=1024]" in checker("check", "--help").out


def test_an_option_that_an_engine_does_not_honour_is_refused_on_the_command_line_only(checker: Any, lock: str) -> None:
    """A setting for all commands may have no effect in one."""
    settings("threads = 2")
    assert checker("check", lock, "--engine", "interpreter").code == 0
    assert checker("check", lock, "--engine", "interpreter", "--threads", "2").code == 2


def test_verify_verifies_the_models_of_the_settings(
    checker: Any, lock: str, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files and folders are seen from the file of the settings, wherever the command is called; names on the command
    line stand instead of them."""
    text = Path(lock).read_text(encoding="utf-8")
    Path(".git").mkdir()  # above a repository no settings are looked for
    write("protocols/one.py", text)
    write("apart/two.py", text)
    settings('models = ["protocols", "apart/two.py:Careless"]')
    whole = checker("verify").out
    assert "protocols/one.py:Hopeful" in whole and "apart/two.py:Careless" in whole and "two.py:Hop" not in whole
    assert "protocols" not in checker("verify", f"{lock}:Careless").out
    monkeypatch.chdir("apart")
    inside = checker("verify").out
    assert "../protocols/one.py:Hopeful" in inside and "two.py:Careless" in inside


def test_list_shows_the_models_of_the_settings(checker: Any, lock: str, write: Any) -> None:
    """Each file once, with its edits; the shipped ones on request, and without such a setting."""
    Path(".git").mkdir()
    write("protocols/one.py", Path(lock).read_text(encoding="utf-8"))
    settings('models = ["protocols", "protocols/one.py"]')
    ran = checker("list")
    assert ran.code == 0 and ran.out.count("protocols/one.py  ") == 1 and "isis" not in ran.out
    assert ran.out.startswith("protocols/one.py  ") and "  2 edits\n" in ran.out and "lock.py" not in ran.out
    shown = checker("list", "--shipped").out
    assert "\nisis  " in shown and "protocols/one.py  " in shown
    write("protocols/broken.py", "class A(:\n")
    settings('models = ["protocols"]')
    broken = checker("list")
    assert broken.code == 2 and "not valid Python" in broken.out and "protocols/one.py  " in broken.out


def test_the_nearest_settings_up_to_the_root_of_the_repository_count(
    checker: Any, lock: str, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without the table is passed over; above the root nothing counts."""
    Path(".git").mkdir()
    settings("max-states = 2")
    write("inner/lock.py", Path(lock).read_text(encoding="utf-8"))
    write("inner/pyproject.toml", "[tool.ruff]\nline-length = 100\n")
    monkeypatch.chdir("inner")
    assert checker("check", lock).code == 4
    Path(".git").mkdir()
    assert checker("check", lock).code == 0


def test_outside_a_repository_a_folder_above_has_no_say(
    checker: Any, lock: str, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `models` names there is not executed: in /tmp, anybody may have put it."""
    write("planted.py", "open('executed', 'w')\n")
    settings('max-states = 2\nmodels = ["planted.py"]')
    write("inner/lock.py", Path(lock).read_text(encoding="utf-8"))
    monkeypatch.chdir("inner")
    assert checker("check", lock).code == 0 and setting("models") is None
    settings("max-states = 2")
    assert checker("check", lock).code == 4


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("[tool]\nchecker = {max-states = 2}", 2),
        ("[tool]\nchecker.max-states = 2", 2),
        ("tool.checker.max-states = 2", 2),
        ('["tool"."checker"]\nmax-states = 2', 2),
        ('[project]\ndescription = """\n[tool.checker]\nmax-states = 2\n"""', None),
        ("# [tool.checker]\n[tool.ruff]\nline-length = 100", None),
        ("[tool.ruff]\nline-length = # checker", None),
    ],
)
def test_the_table_is_what_toml_says_it_is(here: Path, text: str, limit: int | None) -> None:
    """However it is written; a text that looks like it is none."""
    Path("pyproject.toml").write_text(text, encoding="utf-8")
    assert setting("max-states") == limit


@pytest.mark.parametrize(
    ("text", "said"),
    [("[tool]\nchecker = 3", "tool.checker = 3 is no table"), ('tool = "checker"', "tool = 'checker' is no table")],
)
def test_what_is_no_table_is_refused(checker: Any, lock: str, text: str, said: str) -> None:
    """With the file, and what to write."""
    Path("pyproject.toml").write_text(text, encoding="utf-8")
    found = checker("check", lock)
    assert (
        found.code == 2 and said in found.err and "pyproject.toml" in found.err and "Write [tool.checker]" in found.err
    )


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("max-second = 3", 5, "has no key max-second"),
        ("jobs = 2\nconstants = 3", 6, "has no key constants"),
        ("threads = 0", 5, "threads = 0: 0 is not in the range 1<=x<=1024."),
        ('threads = "many"', 5, "'many' is not a valid integer range."),
        ("jobs = true", 5, "jobs = True: True is not a value of it"),
        ('max-memory = "4 bananas"', 5, "write 500M or 4G"),
        ('models = "protocols"', 5, "is no list of paths"),
        ("models = [", 5, "not TOML"),
    ],
)
def test_what_is_no_setting_is_refused_with_file_and_line(
    checker: Any, lock: str, text: str, line: int, said: str
) -> None:
    """By every command, also by one that would not use it."""
    settings(text)
    found = checker("check", lock)
    assert found.code == 2 and f"pyproject.toml:{line}: " in found.err and said in found.err, found.err
    assert checker("list", lock).code == 2 and checker("--help").code == 0


def test_a_key_that_is_nearly_one_is_asked_about(checker: Any, lock: str) -> None:
    """And all that there are, are named."""
    settings("max_seconds = 3")
    found = checker("check", lock)
    assert "Did you mean max-seconds?" in found.err and all(key in found.err for key in KEYS)


def test_the_page_describes_each_key() -> None:
    """In the table of docs/ci.md."""
    rows = re.findall(r"^\| (`[^|]*`) \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {key for row in rows for key in re.findall(r"`([\w-]+)`", row)} == set(KEYS)


def test_a_misspelt_folder_of_models_is_refused_with_file_and_line(checker: Any, lock: str, write: Any) -> None:
    """With the folder that is meant, not with a model whose name is near; the name of a model may stand there."""
    write("protocols/one.py", Path(lock).read_text(encoding="utf-8"))
    settings('models = [\n    "protocols",\n    "protocol",\n]')
    found = checker("verify")
    assert found.code == 2 and "pyproject.toml:7: " in found.err and "model protocol\n" in found.err, found.err
    assert "Did you mean protocols?" in found.err and "toto" not in found.err
    assert checker("check", lock).code == 0  # which has no use for it
    settings('models = ["basic_multicast:AcknowledgeOnce"]')
    assert checker("verify").code == 0


def test_a_name_alone_that_a_folder_of_the_settings_has_as_a_file_is_asked_about(checker: Any, write: Any) -> None:
    """Whoever has verified protocols/abp.py by the settings may try `checker check abp`."""
    write("protocols/abp.py", "")
    write("pyproject.toml", '[tool.checker]\nmodels = ["protocols"]\n')
    ran = checker("check", "abp")
    assert ran.code == 2 and ran.err.splitlines()[:2] == [
        "error: there is no model abp",
        "  Did you mean protocols/abp.py? `checker list` shows all; a file is given by its path: ./my_protocol.py",
    ]

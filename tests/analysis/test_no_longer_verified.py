"""Where a command looks for models, and what it says of those that went where it does not look."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checker.sought import Named, files_in

TEXT = """from checker.language import Int, Model, action, holds, invariant, require, var


class Counter(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self) -> None:
        require(self.n < 2)
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    expect = [holds(), holds(distinct=3)]
"""
OTHER = TEXT.replace("Counter", "Other")
BROKEN = TEXT.replace("self.n < 2", "self.n < 5")
SETTINGS = '[tool.checker]\nmodels = ["protocols", "more"]\n'
LEFT = "Counter ({}:1): its 2 expectations are no longer verified"
GONE = "expectations removed: Counter ({})"


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


def put(name: str, text: str) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")


@pytest.fixture
def repository(here: Path) -> Iterator[Path]:
    """Two folders of models that the settings name, on main."""
    put("protocols/counting.py", TEXT)
    put("more/other.py", OTHER)
    put("pyproject.toml", SETTINGS)
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "start")
    before = set(sys.modules)
    yield here
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("protocols", "more"):
            del sys.modules[name]


@pytest.mark.parametrize("named", [(), ("./protocols",), ("protocols/**/*.py",)])
def test_a_file_that_moves_into_a_folder_below_is_verified(repository: Path, checker: Any, named: Any) -> None:
    """The named folder and those below it are searched; a broken file there is found."""
    Path("protocols/below").mkdir()
    git("mv", "protocols/counting.py", "protocols/below/counting.py")
    put("protocols/below/counting.py", BROKEN)
    ran = checker("verify", *named, "--since", "main")
    assert ran.code == 1 and "small should hold" in ran.out, ran.err
    assert "removed" not in ran.out and "no longer" not in ran.out


def test_a_new_file_in_a_folder_below_is_verified(repository: Path, checker: Any) -> None:
    put("protocols/a/b/new.py", BROKEN.replace("Counter", "New"))
    put("protocols/a/b/test_new.py", "raise SystemExit(9)\n")
    put("protocols/a/tool.py", "raise SystemExit(9)\n")
    put("protocols/.venv/tool.py", "class A(B): pass\n")
    ran = checker("verify", "./protocols")
    assert ran.code == 1 and "DIFFERS      protocols/a/b/new.py" in ran.out and "4 expectations" in ran.out, ran.err


@pytest.mark.parametrize(
    ("place", "named", "told"),
    [
        ("elsewhere/counting.py", ("./protocols",), LEFT),
        ("elsewhere/counting.py", (), LEFT),
        ("protocols/_counting.py", ("./protocols",), LEFT),
        ("protocols/below/test_counting.py", ("./protocols",), LEFT),
        ("protocols/.hidden/counting.py", ("./protocols",), LEFT),
        ("protocols/below/counting.py", ("protocols/*.py",), LEFT),
        ("protocols/below/counting.py", ("./protocols",), ""),
        ("more/counting.py", (), ""),
    ],
)
def test_a_class_that_goes_where_nothing_is_sought_is_no_longer_verified(
    repository: Path, checker: Any, place: str, named: tuple[str, ...], told: str
) -> None:
    """It states an expectation as before, and nobody would see it fail."""
    put("protocols/stays.py", TEXT.replace("Counter", "Stays"))
    Path(place).parent.mkdir(exist_ok=True)
    git("mv", "protocols/counting.py", place)
    ran = checker("verify", *named, "--since", "main")
    assert ran.code == (3 if told else 0), ran.out + ran.err
    assert told.format(place) in ran.out
    assert checker("verify", *named, "--since", "main", "--allow-removed").code == 0


EXPECT = "    expect = [holds(), holds(distinct=3)]\n"
NO_MODEL = {
    "it is private": BROKEN.replace("class Counter", "class _Counter"),
    "it is made under a condition": BROKEN.replace("class Counter", "if False:\n class Counter"),
    "it has no base": BROKEN.replace("(Model)", ""),
    "its name is another class": f"{OTHER}\n\n{BROKEN}\n\nCounter = Other\n",
    "it is in a function": BROKEN.replace("class Counter", "def made():\n class Counter"),
    "it is a base of one that states nothing": f"{BROKEN.replace(EXPECT, '')}\n\nclass More(Counter):\n    pass\n",
    "it states an empty list": BROKEN.replace(EXPECT, "    expect = []\n"),
    "it states an empty tuple": BROKEN.replace(EXPECT, "    expect = ()\n"),
    "it computes that it states nothing": BROKEN.replace(EXPECT, "    expect = [holds() for _ in ()]\n"),
    "it states nothing any more": BROKEN.replace(EXPECT, ""),
}


@pytest.mark.parametrize("how", NO_MODEL)
@pytest.mark.parametrize("named", [(), ("./protocols",)])
def test_a_class_that_is_no_model_any_more_takes_no_expectation_with_it(
    repository: Path, checker: Any, how: str, named: tuple[str, ...]
) -> None:
    """Its text stays in the file, a rule is broken, and nothing else would fail: that less is stated gives exit code
    3."""
    put("protocols/stays.py", TEXT.replace("Counter", "Stays"))
    put("protocols/counting.py", NO_MODEL[how])
    ran = checker("verify", *named, "--since", "main")
    assert ran.code == 3 and GONE.format("protocols/counting.py") in ran.out, ran.out + ran.err


def test_a_class_that_could_not_be_read_is_not_removed(repository: Path, checker: Any) -> None:
    """That is told of its file."""
    put("protocols/counting.py", TEXT.replace("import Int", "import Ints"))
    ran = checker("verify", "--since", "main")
    assert ran.code == 2 and "expectations removed" not in ran.out, ran.out + ran.err


def test_a_class_without_expectation_outside_is_removed(repository: Path, checker: Any) -> None:
    """It moved, and states nothing any more."""
    put("protocols/stays.py", TEXT.replace("Counter", "Stays"))
    put("elsewhere/counting.py", TEXT.replace("    expect = [holds(), holds(distinct=3)]\n", ""))
    git("rm", "-q", "protocols/counting.py")
    ran = checker("verify", "--since", "main")
    assert ran.code == 3 and GONE.format("elsewhere/counting.py") in ran.out


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ('[tool.checker]\nmodels = ["more"]\n', 3),
        ('[tool.checker]\nmodels = ["more/other.py"]\n', 3),
        ('[tool.checker]\nmodels = ["more", "protocols/counting.py"]\n', 0),
        ("", 0),
    ],
)
def test_settings_that_name_less_are_told(repository: Path, checker: Any, settings: str, code: int) -> None:
    """What the settings of the former commit named is what was verified then."""
    put("pyproject.toml", settings)
    ran = checker("verify", "--since", "main")
    assert ran.code == code, ran.out + ran.err
    assert (LEFT.format("protocols/counting.py") in ran.out) is bool(code)
    assert checker("verify", "./more", "--since", "main").code == 0  # the command names it, then as now


def test_a_folder_that_goes_with_its_setting_is_removed(repository: Path, checker: Any) -> None:
    git("rm", "-qr", "protocols")
    put("pyproject.toml", '[tool.checker]\nmodels = ["more"]\n')
    ran = checker("verify", "--since", "main")
    assert ran.code == 3 and GONE.format("protocols/counting.py") in ran.out


def test_the_files_of_a_folder_and_what_includes_them_agree(here: Path) -> None:
    """`files_in` and `Named` are one rule, for files that exist and for those that did."""
    names = ["a.py", "test_a.py", "_a.py", "conftest.py", "b/a.py", "b/test_a.py", "b/c/a.py", ".h/a.py"]
    names += ["b/node_modules/x/a.py", "b/env/a.py"]
    for name in names:
        put(f"top/{name}", "class A(Base): pass\n")
    put("top/b/env/pyvenv.cfg", "")
    found = {file.relative_to("top").as_posix() for file in files_in(Path("top"))}
    assert found == {"a.py", "test_a.py", "b/a.py", "b/c/a.py"}
    named = Named(("./top",), here, "models")
    assert {name for name in names if named.has(here / "top" / name, "A")} == found

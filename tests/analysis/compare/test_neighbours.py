"""An edit in a file of its own, beside the file of its base: one class, however the files are named and imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from checker.catalogue import find
from checker.cli.program import run
from checker.replay.base import related

ROOT = Path(__file__).resolve().parents[3]
BASE = """
from checker.language import Int, Invariant, Model, action, require, rule, var

class Small(Invariant):
    def holds(self):
        return self.n <= 2

class Base(Model):
    n = var(Int(0, 3), 0)

    @rule
    def may(self):
        return self.n < 2

    @action
    def step(self):
        require(self.may())
        self.n += 1

    properties = [Small]
"""
EDIT = """
from {module} import Base
from checker.language import rule

class Edit(Base):
    @rule
    def may(self):
        return self.n < 3
"""


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python finds no other folder `models`, as in a project that is not this repository: pytest and `python -m` have
    put the repository into the path, and what an earlier test read may have imported its folder."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("models", "properties")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if Path(place).resolve() != ROOT])


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str, str], Path]:
    """A folder of that name with the two files, in which the edit imports its base by a name."""

    def made(folder: str, module: str) -> Path:
        directory = tmp_path / folder
        directory.mkdir(parents=True)
        (directory / "base.py").write_text(BASE)
        (directory / "edit.py").write_text(EDIT.format(module=module))
        return directory

    return made


@pytest.mark.parametrize("edit_first", [False, True])
@pytest.mark.parametrize(
    ("folder", "module", "start", "base", "edit"),
    [
        ("here", "base", "here", "base.py", "edit.py"),
        ("here", "base", "here", "base.py:Base", "./edit.py:Edit"),
        ("here", "base", ".", "here/base.py", "here/edit.py"),
        ("models", "base", ".", "base", "edit"),
        ("models", "models.base", ".", "base", "edit"),
        ("models", "models.base", ".", "models/base.py", "edit"),
        ("models", "base", "models", "base.py", "edit.py"),
    ],
)
def test_an_edit_is_one_of_the_base_that_it_imports(
    folder: str,
    module: str,
    start: str,
    base: str,
    edit: str,
    edit_first: bool,
    project: Callable[[str, str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From its folder, from the folder above, by path or by name, and whichever file is read first."""
    project(folder, module)
    monkeypatch.chdir(tmp_path / start)
    names = (edit, base) if edit_first else (base, edit)
    classes = {entry.cls.__name__: entry.cls for entry in map(find, names)}
    assert classes["Base"] is classes["Edit"].__mro__[1]
    assert related(classes["Base"], classes["Edit"])
    assert all(find(name).cls is classes[cls] for name, cls in ((base, "Base"), (edit, "Edit")))


def test_the_comparison_calls_it_an_edit(
    project: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its property is that of the base, and the step that the base forbids is its cause."""
    monkeypatch.chdir(project("here", "base"))
    assert run(["compare", "base.py", "edit.py"]) == 1
    text = capsys.readouterr().out
    assert "unrelated" not in text and "because    step 3 is step (Small, a shortest run of 3 steps)" in text
    assert "now        may() is " in text and "before     it is false (base.py:" in text


def test_projects_that_use_the_same_names_stay_apart(project: Callable[[str, str], Path]) -> None:
    """Each edit keeps the base of its own folder, also after the other project was read."""
    first, second = project("first", "base"), project("second", "base")
    bases = []
    for folder in (first, second, first):
        base, edit = find(str(folder / "base.py")).cls, find(str(folder / "edit.py")).cls
        assert issubclass(edit, base)
        assert Path(str(sys.modules[base.__module__].__file__)) == folder / "base.py"
        bases.append(base)
    assert bases[0] is bases[2] and bases[0] is not bases[1]

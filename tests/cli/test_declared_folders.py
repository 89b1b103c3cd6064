"""Folders that `[tool.checker]` declares are packages without an `__init__.py`: their files import what lies beside the
file of the settings."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from checker.project import packages_of

SMALL = """from checker.language import Invariant


class Small(Invariant):
    def holds(self) -> bool:
        return self.n < 3
"""
COUNTER = """from checker.language import Int, Model, action, holds, require, var
from shared_properties.small import Small


class Counter(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self) -> None:
        require(self.n < 2)
        self.n += 1

    properties = [Small]
    expect = holds()
"""
FAR = '''from checker.language import action, holds, require
from protocols.counting import Counter


class Far(Counter):
    """EDIT: not so far."""

    @action
    def up(self) -> None:
        require(self.n < 1)
        self.n += 1

    expect = holds()
'''


@pytest.fixture
def repository(here: Path) -> Path:
    """Models in two folders, a property beside them, and no `__init__.py`."""
    files = {"shared_properties/small.py": SMALL, "protocols/counting.py": COUNTER, "protocols/more/far.py": FAR}
    for name, text in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    (here / "pyproject.toml").write_text('[tool.checker]\nmodels = ["protocols", "protocols/more"]\n')
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "start"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True)
    return here


def test_models_of_declared_folders_import_from_beside_them(repository: Path, checker: Any) -> None:
    """Whether the settings name the files, or the command; in a folder inside, too."""
    for names in ((), ("protocols/more/far.py",), ("protocols",)):
        ran = checker("verify", *names)
        assert ran.code == 0, ran.out + ran.err
    (repository / "pyproject.toml").write_text("[tool.checker]\njobs = 1\n")
    assert packages_of(repository / "protocols" / "counting.py") == frozenset()


def test_a_change_of_what_they_share_touches_them(repository: Path, checker: Any) -> None:
    """They are compared with what they were, read in the same way."""
    text = COUNTER.replace("self.n < 2", "self.n < 5")
    (repository / "protocols" / "counting.py").write_text(text, encoding="utf-8")
    ran = checker("verify", "--since", "main", "--comment", "c.md")
    assert ran.code == 1 and "protocols/more/far.py: Counter (protocols/counting.py) has changed" in ran.out, ran.err
    assert "CAUSE in step 3: up goes on: n = 2 is < 5" in ran.out
    assert "**Against what it was:** `protocols/counting.py`: broken: Small" in Path("c.md").read_text(encoding="utf-8")


def test_relative_imports_are_followed_in_the_version_before(repository: Path, checker: Any) -> None:
    """That version lies outside of the repository, and each changed part is changed back there, too."""
    far = repository / "protocols" / "more" / "far.py"
    far.write_text(FAR.replace("from protocols.counting", "from ..counting"), encoding="utf-8")
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "relative"], check=True)
    text = COUNTER.replace("self.n < 2", "self.n < 5").replace("n = var(Int(0, 9), 0)", "n = var(Int(0, 8), 0)")
    (repository / "protocols" / "counting.py").write_text(text, encoding="utf-8")
    far.write_text(far.read_text(encoding="utf-8").replace("self.n < 1", "self.n < 4"), encoding="utf-8")
    ran = checker("verify", "--since", "HEAD", "--comment", "c.md")
    assert ran.code == 1 and "claimed is not known" not in ran.out, ran.out + ran.err
    assert "    action up of Counter changed (protocols/counting.py:10); CAUSE in step 3" in ran.out
    assert "    action up of Far changed (protocols/more/far.py:10); CAUSE in step 2" in ran.out
    assert ": not compared" not in Path("c.md").read_text(encoding="utf-8")


def test_the_packages_are_the_folders_below_the_settings(repository: Path) -> None:
    """Not the folder of the settings itself; nothing above a repository, and nothing of a file that is no TOML."""
    far = repository / "protocols" / "more" / "far.py"
    assert packages_of(far) == {repository / "protocols", repository / "protocols" / "more"}
    assert packages_of(repository / "shared_properties" / "small.py") == frozenset()
    (repository / "protocols" / ".git").mkdir()
    assert packages_of(far) == frozenset()
    (repository / "protocols" / ".git").rmdir()
    for wrong in ("[tool.checker\n", "tool = 3 # checker\n", '[tool.checker]\nmodels = [3, "."]\n'):
        (repository / "pyproject.toml").write_text(wrong)
        assert packages_of(far) == frozenset()

"""Which files a model depends on: those of its folder, not the packages of an environment in it."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from checker.analysis import imported
from checker.analysis.depended import files_of
from checker.analysis.imported import Imports
from checker.catalogue import find

MODEL = '''"""A counter."""
from checker.language import Int, Model, action, require, var
import beside_steps, packed_steps; assert packed_steps.STEP == beside_steps.STEP


class Counter(Model):
    n = var(Int(0, 2), 0)

    @action
    def up(self):
        require(self.n < 2)
        self.n += 1
'''
BESIDE = "import beside_steps, packed_steps; assert packed_steps.STEP == beside_steps.STEP"


@pytest.mark.parametrize(("environment", "counted"), [("env", False), ("elsewhere", True)])
def test_packages_of_the_environment_are_no_files_of_a_model(
    here: Path, monkeypatch: pytest.MonkeyPatch, environment: str, counted: bool
) -> None:
    """With `.venv` in a repository each import of a package would lead through everything that is installed.  A folder
    of the same name that is not in this environment is part of the repository.
    """
    packages = here / "env" / "lib" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "packed_steps.py").write_text("STEP = 1\n", encoding="utf-8")
    (here / "beside_steps.py").write_text("STEP = 1\n", encoding="utf-8")
    (here / "counting_packed.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.syspath_prepend(str(packages))
    monkeypatch.setattr(imported, "ENVIRONMENT", (here / environment).resolve())
    importlib.invalidate_caches()
    files = files_of(find("counting_packed.py").cls, Imports(here.resolve()))
    assert {file.name for file in files} == {"counting_packed.py", "beside_steps.py"} | (
        {"packed_steps.py"} if counted else set()
    )


def test_a_model_depends_on_nothing_through_the_checker(tmp_path: Path) -> None:
    """The package of the checker holds each shipped model that was read, and what its modules hold leads to libraries
    and tests: in the repository of the checker each change of any of them would touch every model."""
    root = Path(imported.__file__).resolve().parents[2]
    file = tmp_path / "counting_alone.py"
    file.write_text(f"import checker\n{MODEL.replace(BESIDE, '')}", encoding="utf-8")
    find("isis")
    assert files_of(find(str(file)).cls, Imports(root)) == frozenset()

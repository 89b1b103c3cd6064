"""The checker beside anything: a project with folders `models` and `properties` of its own uses the shipped ones, too,
however the checker came there and wherever a command is started."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.install.conftest import Python

PROPERTY = '''"""What the project asks of its protocols."""

from checker.language import Invariant


class Small(Invariant):
    """The counter stays below its limit."""

    def holds(self):
        return self.n < 3
'''
BASE = '''"""A counter."""

from checker.language import Int, Model, action, holds, require, var
from properties.small import Small


class Counter(Model):
    """Counts to two."""

    n = var(Int(0, 5), 0)

    @action
    def up(self):
        require(self.n < 2)
        self.n += 1

    properties = [Small]
    expect = holds()
'''
EDIT = '''"""An edit in a file of its own, and a shipped property."""

from checker.language import action, holds, violates
from checker.properties.total_order import TotalOrder
from models.base import Counter
from properties.small import Small


class Further(Counter):
    """EDIT: counts on."""

    @action
    def up(self):
        self.n = (self.n + 1) % 6

    expect = violates(Small)
'''
TEST = """from checker.pytest_plugin import model_tests

test_models = model_tests("models/*.py")
"""
NOTEBOOK = """import sys, checker
report = checker.check(sys.argv[1])
assert report.verdict == "violated", report.verdict
from models.base import Counter
assert checker.check(Counter).verdict == "holds"
assert checker.check("isis", workload=(1, 0)).verdict == "holds"
assert checker.model("checker.models.isis").__module__ == "checker.models.isis"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a property, a model that uses it, and an edit of that in another file."""
    folder = tmp_path / "project"
    for name, text in {
        "models/base.py": BASE,
        "models/further.py": EDIT,
        "properties/small.py": PROPERTY,
        "test_models.py": TEST,
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_wheel_holds_one_package(wheel: Path) -> None:
    """Models, properties and what makes the package typed are in it; benchmarks and tests are not."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"checker"}
    inside = {
        "checker/models/isis.py",
        "checker/properties/total_order.py",
        "checker/py.typed",
        "checker/report/page.html",
        "checker/report/page.js",
        "checker/report/explore.html",
        "checker/report/comparison.css",
    }
    assert inside <= names


def test_shipped_models_are_known_in_an_empty_directory(python: Python, tmp_path: Path) -> None:
    """By name and by the name of their module."""
    for name in ("isis", "checker.models.isis"):
        ran = python("-m", "checker", "check", name, "-D", "workload=1,0", cwd=tmp_path)
        assert ran.returncode == 0, ran.stderr


PLACES = [
    pytest.param("wheel", True, True, id="wheel-packages-in the project"),
    pytest.param("PYTHONPATH", False, False, id="PYTHONPATH-plain folders-elsewhere"),
    pytest.param("wheel", False, False, id="wheel-plain folders-elsewhere", marks=pytest.mark.thorough),
    pytest.param("wheel", False, True, id="wheel-plain folders-in the project", marks=pytest.mark.thorough),
    pytest.param("wheel", True, False, id="wheel-packages-elsewhere", marks=pytest.mark.thorough),
    pytest.param("PYTHONPATH", True, True, id="PYTHONPATH-packages-in the project", marks=pytest.mark.thorough),
    pytest.param("PYTHONPATH", False, True, id="PYTHONPATH-plain folders-in the project", marks=pytest.mark.thorough),
    pytest.param("PYTHONPATH", True, False, id="PYTHONPATH-packages-elsewhere", marks=pytest.mark.thorough),
]
"""How the checker came there, whether the folders are packages, and whether a command is started in the project."""


@pytest.mark.parametrize(("python", "packages", "inside"), PLACES, indirect=["python"])
def test_a_command_reads_a_project_from_anywhere(
    python: Python, project: Path, tmp_path: Path, packages: bool, inside: bool
) -> None:
    """Folders with and without `__init__.py`."""
    for folder in ("models", "properties") if packages else ():
        (project / folder / "__init__.py").touch()
    ran = python("-m", "checker", "verify", project / "models", cwd=project if inside else tmp_path)
    assert (ran.returncode, "2 expectations met" in ran.stdout) == (0, True), ran.stdout + ran.stderr


@pytest.mark.parametrize(("python", "packages", "inside"), PLACES, indirect=["python"])
def test_pytest_reads_a_project(python: Python, project: Path, tmp_path: Path, packages: bool, inside: bool) -> None:
    """As a command, with and without the project in the path, whose folders are packages or plain."""
    for folder in ("models", "properties") if packages else ():
        (project / folder / "__init__.py").touch()
    arguments, cwd = ((".",), project) if inside else (("--rootdir", str(project), str(project)), tmp_path)
    ran = python("-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, cwd=cwd)
    assert "2 passed" in ran.stdout, ran.stdout + ran.stderr


def test_a_program_reads_a_project_and_shipped_models(python: Python, project: Path, tmp_path: Path) -> None:
    """What a notebook does."""
    ran = python("-c", NOTEBOOK, project / "models" / "further.py", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_a_name_of_two_models_is_refused_and_each_has_another(python: Python, project: Path) -> None:
    """A project's models/isis.py and the shipped isis."""
    (project / "models" / "isis.py").write_text(BASE, encoding="utf-8")
    refused = python("-m", "checker", "check", "isis", cwd=project)
    assert refused.returncode == 2 and "isis is ambiguous: models/isis.py and the shipped model" in refused.stderr
    own = python("-m", "checker", "check", "models/isis.py", cwd=project)
    assert (own.returncode, "Counts to two" in own.stdout) == (0, True)
    shipped = python("-m", "checker", "check", "checker.models.isis", "-D", "workload=1,0", cwd=project)
    assert (shipped.returncode, "13 states" in shipped.stdout) == (0, True)


def test_a_neighbour_with_the_name_of_a_library_is_refused(python: Python, tmp_path: Path) -> None:
    """Python would read the library."""
    (tmp_path / "attrs.py").write_text("LIMIT = 3\n", encoding="utf-8")
    (tmp_path / "counter.py").write_text(BASE.replace("from properties.small import Small", "from attrs import LIMIT"))
    ran = python("-c", "import checker, sys; checker.check(sys.argv[1])", tmp_path / "counter.py", cwd=Path("/"))
    assert "attrs means two things here" in ran.stderr


def test_two_projects_in_one_process_have_their_own_properties(python: Python, project: Path, tmp_path: Path) -> None:
    """What one calls properties.small is not what the other does."""
    other = tmp_path / "other"
    for file in project.rglob("*.py"):
        (other / file.relative_to(project)).parent.mkdir(parents=True, exist_ok=True)
        (other / file.relative_to(project)).write_text(file.read_text().replace("self.n < 3", "self.n < 2"))
    program = "import checker, sys; print(*(checker.check(f).verdict for f in sys.argv[1:]))"
    files = [place / "models" / "base.py" for place in (project, other)]
    assert python("-c", program, *files, cwd=tmp_path).stdout.split() == ["holds", "violated"]


def test_a_module_that_the_program_imported_itself_stays_what_it_is(
    python: Python, project: Path, tmp_path: Path
) -> None:
    """Reading another project's model does not take the program's own module away; what means two things is refused."""
    other = tmp_path / "other"
    for file in project.rglob("*.py"):
        (other / file.relative_to(project)).parent.mkdir(parents=True, exist_ok=True)
        (other / file.relative_to(project)).write_text(file.read_text())
    for folder in ("models", "properties"):
        (project / folder / "__init__.py").touch()
        (other / folder / "__init__.py").touch()
    program = """import sys
sys.path.insert(0, sys.argv[1])
import properties.small as own, checker
print(checker.check(sys.argv[1] + "/models/base.py").verdict)
try:
    checker.check(sys.argv[2] + "/models/base.py")
except checker.UsageError as error:
    print("refused" if "properties means two things here" in str(error) else error)
print("kept" if sys.modules["properties.small"] is own else "lost")
"""
    assert python("-c", program, project, other, cwd=tmp_path).stdout.split() == ["holds", "refused", "kept"]

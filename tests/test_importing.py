"""Modules of model files and their neighbours: read from their texts, and making room for those of another project."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from checker.importing import command_of, loaded_below, rename, resolved
from checker.language.errors import UsageError
from checker.reading import load


def test_folders_without_a_package_file_have_their_path_under_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever goes through all modules and reads their paths meets no error, whichever was renamed first."""
    (tmp_path / "above" / "inside").mkdir(parents=True)
    (tmp_path / "above" / "inside" / "leaf.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("above.inside.leaf")
    names = ("above", "above.inside", "above.inside.leaf")
    modules = [rename(name, f"{name} set aside") for name in names]
    try:
        paths = [list(module.__path__) for module in modules[:2]]
        assert paths == [[str(tmp_path / "above")], [str(tmp_path / "above" / "inside")]]
    finally:
        for name in names:
            del sys.modules[f"{name} set aside"]


@pytest.mark.parametrize(
    "changed", ["kept_model.py", "kept_neighbour.py", "kept_package/inner.py"], ids=["file", "neighbour", "package"]
)
def test_a_change_within_a_second_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    """A text of the same size and time in seconds as the one before: Python would execute the old one's bytecode."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    texts = {
        "kept_model.py": "from kept_neighbour import B\nfrom kept_package.inner import C\nA = 1\n",
        "kept_neighbour.py": "B = 1\n",
        "kept_package/__init__.py": "",
        "kept_package/inner.py": "C = 1\n",
    }
    (tmp_path / "kept_package").mkdir()

    def forget() -> None:
        own = [n for n, m in sys.modules.items() if str(getattr(m, "__file__", "")).startswith(str(tmp_path))]
        for name in own:
            del sys.modules[name]

    def read() -> int:
        forget()
        for file, text in texts.items():
            (tmp_path / file).write_text(text)
            os.utime(tmp_path / file, (1_700_000_000, 1_700_000_000))
        importlib.invalidate_caches()
        module = load(tmp_path / "kept_model.py")
        return int(module.A + module.B + module.C)

    assert read() == 3
    texts[changed] = texts[changed].replace("= 1", "= 2")
    assert read() == 4
    forget()


PACKAGED = {"__init__.py": "", "common.py": "N = 1\n", "inner/__init__.py": ""}


@pytest.mark.parametrize("order", [1, -1])
def test_a_package_may_hold_a_module_of_its_own_name(tmp_path: Path, order: int) -> None:
    """Its name means the package to every file in it, whichever is read first; relative imports work, and each file is
    one module under its name in the package."""
    folder = tmp_path / "packaged"
    (folder / "inner").mkdir(parents=True)
    texts = {
        "packaged.py": "from .common import N\nfrom packaged.lock import L\n",
        "lock.py": "from packaged.common import N\nL = N + 1\n",
        "inner/packaged.py": "from ..common import N\nfrom packaged import packaged\nL = packaged.L\n",
    }
    for name, text in {**PACKAGED, **texts}.items():
        (folder / name).write_text(text)
    for name in list(texts)[::order]:
        module = load(folder / name)
        assert (module.__name__, module.N) == (f"packaged.{name[:-3].replace('/', '.')}", 1)
        assert getattr(module, "L", 2) == 2
    read = [
        name
        for name, module in sys.modules.items()
        if str(getattr(module, "__file__", "")) == str(folder / "packaged.py")
    ]
    assert read == ["packaged.packaged"]


def test_a_library_with_the_name_of_a_package_of_models_stays_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's own places come first: who imports the name from the package is refused."""
    for place, text in (("libraries", "N = 2\n"), ("mine", "N = 1\n")):
        (tmp_path / place / "twofold").mkdir(parents=True)
        (tmp_path / place / "twofold" / "__init__.py").write_text("")
        (tmp_path / place / "twofold" / "common.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path / "libraries"))
    (tmp_path / "mine" / "twofold" / "twofold.py").write_text("from twofold.common import N\n")
    with pytest.raises(UsageError, match="twofold means two things here"):
        load(tmp_path / "mine" / "twofold" / "twofold.py")


@pytest.mark.parametrize(
    "written, error, folders",
    [
        ("from aboveall import A", "aboveall lies in .*, which only files of packages see", ("", "deep")),
        ("from .common import A", "A relative import needs a package", ("deep",)),
        ("from ..common import A", "A relative import needs a package", ("deep", "")),
    ],
)
def test_an_import_that_needs_a_package_has_a_remedy_that_helps(
    tmp_path: Path, written: str, error: str, folders: tuple[str, ...]
) -> None:
    """The remedy names each folder that needs an __init__.py; with these files the model is read."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "aboveall.py").write_text("A = 1\n")
    protocols = tmp_path / "remedied"
    (protocols / "deep").mkdir(parents=True)
    for folder in (protocols, protocols / "deep"):
        (folder / "common.py").write_text("A = 1\n")
    file = protocols / "deep" / "model.py"
    file.write_text(f"{written}\n")
    for left in range(len(folders), 0, -1) if "." in written.split()[1] else [0]:
        with pytest.raises(UsageError, match=error) as refused:
            load(file)
        named = [protocols / folder for folder in (folders[len(folders) - left :][:1] if left else folders)]
        assert all(str(folder) in str(refused.value.remedy) for folder in named)
        for folder in named:
            (folder / "__init__.py").write_text("")
        importlib.invalidate_caches()
    assert load(file).A == 1


def test_a_module_above_the_repository_has_no_remedy(tmp_path: Path) -> None:
    """What lies there is nobody's to import."""
    (tmp_path / "outermost.py").write_text("A = 1\n")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    file = tmp_path / "repository" / "model.py"
    file.write_text("from outermost import A\n")
    with pytest.raises(UsageError, match="No module named 'outermost'") as refused:
        load(file)
    assert refused.value.remedy is None


def test_a_command_of_the_checker_ignores_files_of_the_directory_that_are_called_as_libraries(tmp_path: Path) -> None:
    """`watch` and the editor check in processes of their own; `token.py` is the obvious name of a token ring."""
    for name in ("token", "queue", "types", "checker"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')", encoding="utf-8")
    command = [*command_of("checker"), "check", "isis", "-D", "workload=1,0"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "HOLDS" in ran.stdout, ran.stderr


def test_modules_below_a_folder_are_found_by_where_they_really_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A linked file, a file in a linked folder and a package without a file among them; a folder whose name begins with
    that of the other is another one, and a linked file that lies elsewhere is not below."""
    inside, outside = (tmp_path.resolve() / name for name in ("inside", "inside_too"))
    for folder in (inside / "package", outside):
        folder.mkdir(parents=True)
    for file in (inside / "plain.py", inside / "aim.py", outside / "other.py"):
        file.write_text("")
    (outside / "linked.py").symlink_to(inside / "aim.py")
    (inside / "away.py").symlink_to(outside / "other.py")
    (outside / "folder").symlink_to(inside)
    files = {
        "plain": inside / "plain.py",
        "linked": outside / "linked.py",
        "in_linked": outside / "folder" / "plain.py",
        "dotted": outside / ".." / "inside" / "plain.py",
        "away": inside / "away.py",
        "other": outside / "other.py",
    }
    for name, file in files.items():
        module = ModuleType(name)
        module.__file__ = str(file)
        monkeypatch.setitem(sys.modules, f"below_{name}", module)
    package = ModuleType("package")
    package.__path__ = [str(inside / "package")]
    monkeypatch.setitem(sys.modules, "below_package", package)
    names = ("plain", "linked", "in_linked", "dotted", "package")
    assert loaded_below(inside) == [f"below_{name}" for name in names]


def test_where_a_module_lies_is_computed_once() -> None:
    """Each reading of a model asks for hundreds of loaded modules, whose folders the system would look up again."""
    file = str(Path(__file__).parent / ".." / "tests" / Path(__file__).name)
    assert resolved(file) is resolved(file) == Path(__file__).resolve()

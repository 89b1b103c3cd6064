"""What a test has read from its own directory is forgotten with it, and nothing else is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from checker import importing
from checker.reading import load
from tests.forgotten import forgetting

MODEL = """
from checker.language import Int, Model, action, var
from {neighbour} import TOP

class Counter(Model):
    n = var(Int(0, 9), 0)

    @action
    def up(self):
        self.n = TOP
"""
READ = list[str]()


def write(folder: Path, neighbour: str) -> Path:
    """A model in a package that imports a neighbour."""
    inner = folder / f"{neighbour}_package"
    inner.mkdir(parents=True)
    (inner / "__init__.py").touch()
    (folder / f"{neighbour}.py").write_text("TOP = 3\n", encoding="utf-8")
    file = inner / f"{neighbour}_counter.py"
    file.write_text(MODEL.format(neighbour=neighbour), encoding="utf-8")
    return file


def state() -> tuple[set[str], list[str], list[str], list[str], set[str], set[str]]:
    """All that grows with what is read."""
    beside = importing._beside
    modules = {name for name in (*sys.modules, *importing._brought) if "forgotten" in name or "kept" in name}
    cached = {entry for entry in sys.path_importer_cache if "forgotten" in entry or "kept" in entry}
    return modules, list(sys.path), list(importing._added), list(beside.places), set(beside.packages), cached


def test_what_lies_in_the_folder_is_forgotten(tmp_path: Path) -> None:
    """The model, its neighbour and the places of both; another folder's stay, whenever they were read."""
    kept = load(write(tmp_path / "kept", "kept_first"))
    before = state()
    with forgetting(tmp_path / "own"):
        mine = load(write(tmp_path / "own", "forgotten"))
        assert state() != before and sys.modules["forgotten"].TOP == 3
    assert state() == before and sys.modules[kept.__name__] is kept
    assert mine.Counter is not load(write(tmp_path / "again", "again")).Counter
    with forgetting(tmp_path / "own"):
        other = load(write(tmp_path / "other", "kept_second"))
    assert sys.modules[other.__name__] is other and str(tmp_path / "other") in sys.path


def test_a_file_that_is_read_again_is_executed_again(tmp_path: Path) -> None:
    """No rest of the first reading is used."""
    file = write(tmp_path, "forgotten")
    with forgetting(tmp_path):
        first = load(file)
    (tmp_path / "forgotten.py").write_text("TOP = 4\n", encoding="utf-8")
    with forgetting(tmp_path):
        assert load(file) is not first and sys.modules["forgotten"].TOP == 4


def test_a_neighbour_that_took_the_place_of_another_one_is_forgotten_too(tmp_path: Path) -> None:
    """Both have one name; a third one can be read afterwards."""
    load(write(tmp_path / "kept", "forgotten"))
    with forgetting(tmp_path / "own"):
        load(write(tmp_path / "own", "forgotten"))
    assert "forgotten" not in sys.modules
    load(write(tmp_path / "third", "forgotten"))
    assert Path(sys.modules["forgotten"].__file__ or "").parent == tmp_path / "third"


@pytest.mark.parametrize("turn", ["first", "second"])
def test_each_test_forgets_its_own_directory(turn: str, tmp_path: Path) -> None:
    """The second begins without what the first has read, if one process runs both."""
    assert not [name for name in READ if name in sys.modules]
    READ.extend((load(write(tmp_path, "forgotten")).__name__, "forgotten"))
    assert READ[-1] in sys.modules

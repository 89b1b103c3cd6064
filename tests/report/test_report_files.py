"""The files of a trace."""

import logging
import re
import shutil
from pathlib import Path
from typing import Any

import attrs
import pytest

from checker.report.write import write_reports
from checker.trace.read_itf import read_trace
from checker.trace.trace import Trace
from tests.report import runs


def test_every_report_can_be_made_again_from_the_trace_file(trace: Trace, tmp_path: Path) -> None:
    """The ITF file is the one source: reading it and writing again gives the same bytes."""
    first = write_reports(trace, tmp_path / "first")
    second = write_reports(read_trace(first[0]), tmp_path / "second")
    assert [path.name for path in first] == [path.name for path in second]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_without_dot_all_but_the_picture_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A missing program costs the picture and is reported once."""
    monkeypatch.setenv("PATH", "")
    with caplog.at_level(logging.WARNING):
        names = {path.name for path in write_reports(runs.total_order(), tmp_path)}
    assert "trace.svg" not in names and {"trace.itf.json", "trace.txt", "trace.dot"} <= names
    assert [record.message for record in caplog.records] == [
        "no diagram drawn: the program 'dot' is not on PATH (install the graphviz package)"
    ]


@pytest.mark.skipif(shutil.which("dot") is None, reason="the dot program is not installed")
def test_the_picture_is_an_svg(tmp_path: Path) -> None:
    """It holds the names of the lanes as text, so that it can be searched."""
    write_reports(runs.total_order(), tmp_path)
    svg = (tmp_path / "trace.svg").read_text(encoding="utf-8")
    assert "<svg" in svg and ">p2</text>" in svg and "VIOLATION" in svg


def test_the_command_that_every_report_prints_executes_the_run_of_a_model_of_ones_own(checker: Any, write: Any) -> None:
    """From the directory in which it was checked, from which the path of the model counts too."""
    write(
        "mine.py",
        """from checker.language import Int, Model, action, invariant, require, var


class Mine(Model):
    x = var(Int(0, 2), 0)

    @action
    def up(self):
        require(self.x < 2)
        self.x += 1

    @invariant
    def small(self):
        return self.x < 2
""",
    )
    assert checker("check", "mine.py", "--out", "rep").code == 1
    found = {}
    for file in Path("rep").glob("*/trace.*"):
        if file.suffix in (".txt", ".md", ".html", ".svg", ".dot"):
            text = file.read_text("utf-8").replace("&#45;", "-")
            found[file.suffix] = re.findall(r"checker replay ([^\s<;`\"\\\\]+)", text)
    assert {".txt", ".md", ".html", ".dot"} <= set(found)
    commands = {c for each in found.values() for c in each}
    assert all(found.values()) and len(commands) == 1
    assert checker("replay", commands.pop()).code == 0


def test_a_folder_whose_name_is_no_text_gets_every_report(tmp_path: Path) -> None:
    """File names are bytes on Linux; a command that names such a folder is printed with signs of replacement."""
    trace = attrs.evolve(runs.total_order(), reference="own.py:Own")
    written = write_reports(trace, tmp_path / "\udcff.out")
    assert {"trace.itf.json", "trace.txt", "trace.md", "trace.html"} <= {path.name for path in written}
    assert "checker replay" in next(p for p in written if p.name == "trace.txt").read_text("utf-8")

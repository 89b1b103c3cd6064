"""The gallery is what the models say: its runs are runs of today's models, its pages and diagrams are made from them.

Whether the searches find the same runs again is asked by `checker gallery --check`, and here in a thorough run.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from checker.cli import run
from checker.commands.gallery import compare_gallery, write_gallery
from checker.commands.stored_trace import replay
from checker.report.space_time import space_time
from checker.trace.read_itf import read_trace

GALLERY = Path(__file__).resolve().parents[2] / "counterexamples"
FOLDERS = sorted(file.parent.name for file in GALLERY.glob("*/trace.itf.json"))
SMALL = "basic_multicast:Ordered"


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_stored_run_is_a_run_of_the_model_and_shows_its_violation(folder: str) -> None:
    """The reference interpreter executes it again, to the same states and the same violation."""
    result = replay(read_trace(GALLERY / folder / "trace.itf.json"))
    assert result.confirmed, f"at step {result.step}: {result.reason}"


def test_every_diagram_is_the_diagram_of_its_run() -> None:
    """The text of each diagram is what its trace gives."""
    wrong = [
        f
        for f in FOLDERS
        if (GALLERY / f / "trace.dot").read_text("utf-8") != space_time(read_trace(GALLERY / f / "trace.itf.json"))
    ]
    assert wrong == []


def test_every_folder_has_its_picture_and_stands_in_the_index() -> None:
    """Nothing is in the gallery that the index does not show, and nothing in the index that is not there."""
    shown = set(re.findall(r'src="([^"/]+)/trace\.svg"', (GALLERY / "README.md").read_text("utf-8")))
    assert FOLDERS and shown == set(FOLDERS) == {file.parent.name for file in GALLERY.glob("*/trace.svg")}


def test_links_into_the_gallery_from_the_findings_lead_somewhere() -> None:
    """docs/findings.md refers to diagrams that exist."""
    findings = GALLERY.parent / "docs" / "findings.md"
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", findings.read_text("utf-8"))
    assert links and [link for link in links if not (findings.parent / link).exists()] == []


def commands() -> list[Any]:
    """The checks that docs/findings.md gives as shell commands; one of them takes half a minute."""
    text = (GALLERY.parent / "docs" / "findings.md").read_text("utf-8")
    lines = [line.removesuffix(" --out report") for line in text.splitlines() if line.startswith("checker check ")]
    return [pytest.param(line, marks=[pytest.mark.thorough] if "flat=true" in line else []) for line in lines]


@pytest.mark.parametrize("command", commands())
def test_each_command_of_the_findings_finds_its_violation(command: str) -> None:
    """It ends with the exit code for a violation."""
    assert run(command.split()[1:]) == 1


@pytest.mark.thorough
def test_the_searches_find_the_gallery_again_byte_for_byte() -> None:
    """No file but the pictures would change if the gallery were written again."""
    assert compare_gallery(GALLERY, jobs=os.cpu_count() or 1, thorough=True).files == ()


def test_writing_twice_gives_the_same_files(tmp_path: Path) -> None:
    """Nothing in a file depends on time, place or the state of the directory."""
    assert len(write_gallery(tmp_path, [SMALL]).files) == 4
    first = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert write_gallery(tmp_path, [SMALL]).files == ()
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == first


def test_an_altered_file_a_missing_run_and_a_surplus_folder_are_found_and_repaired(tmp_path: Path) -> None:
    """--check ends with exit code 1 and writes nothing; writing makes all well again."""
    write_gallery(tmp_path, [SMALL, "basic_multicast:AcknowledgeOnce"])
    index, folder = tmp_path / "README.md", tmp_path / "basic_multicast-Ordered-FifoOrder"
    before = index.read_text("utf-8")
    index.write_text(before + "more\n", encoding="utf-8")
    shutil.copytree(folder, tmp_path / "left-over")
    shutil.rmtree(folder)
    found = dict(compare_gallery(tmp_path, [SMALL]).files)
    assert found["README.md"] == "differs" and found[f"{folder.name}/trace.dot"] == "missing" and "left-over" in found
    assert not folder.exists() and run(["gallery", SMALL, "--out", str(tmp_path), "--check"]) == 1
    assert run(["gallery", SMALL, "--out", str(tmp_path), "--jobs", "1"]) == 0
    assert (
        index.read_text("utf-8") == before and not (tmp_path / "left-over").exists() and (folder / "trace.svg").exists()
    )
    assert run(["gallery", SMALL, "--out", str(tmp_path), "--check"]) == 0


def test_a_property_that_a_shown_run_violates_too_has_no_folder_of_its_own(tmp_path: Path) -> None:
    """A lost message breaks four properties in one run, shown once."""
    write_gallery(tmp_path, ["basic_multicast:OthersOnly"])
    assert [f.name for f in sorted(tmp_path.glob("*/"))] == ["basic_multicast-OthersOnly-Agreement"]
    assert "violates UniformAgreement" in (tmp_path / "basic_multicast-OthersOnly-Agreement" / "README.md").read_text(
        "utf-8"
    )


def test_folders_that_the_gallery_did_not_write_stay(tmp_path: Path) -> None:
    """A directory with other things in it loses none of them."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "README.md").write_text("mine", encoding="utf-8")
    write_gallery(tmp_path, [SMALL])
    assert (tmp_path / "notes" / "README.md").read_text("utf-8") == "mine"

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

from checker.analysis.stored_trace import replay
from checker.cli.gallery import compare_gallery, write_gallery
from checker.cli.program import run
from checker.report.gallery_pages import is_picture_of, run_file
from checker.report.space_time import space_time
from checker.trace.read_itf import read_trace
from tests.documentation.documents import FINDINGS

GALLERY = Path(__file__).resolve().parents[3] / "counterexamples"
RUNS = sorted(str(file.relative_to(GALLERY)).removesuffix(".itf.json") for file in GALLERY.glob("*/*.itf.json"))
SMALL = "basic_multicast:Ordered"


def stored() -> list[Any]:
    """All runs; each build takes the first of each folder, since `checker gallery --check`, which `.ci/run` calls,
    searches all of them again and compares them byte for byte; those of expectations marked thorough it replays."""
    first = {run.partition("/")[0]: run for run in reversed(RUNS)}
    return [pytest.param(run, marks=() if run in first.values() else pytest.mark.thorough) for run in RUNS]


@pytest.mark.parametrize("run", stored())
def test_a_stored_run_is_a_run_of_the_model_and_shows_its_violation(run: str) -> None:
    """The reference interpreter executes it again, to the same states and the same violation."""
    result = replay(read_trace(GALLERY / f"{run}.itf.json"))
    assert result.confirmed, f"at step {result.step}: {result.reason}"


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in (1, 2))])
def test_every_picture_is_drawn_from_the_diagram_of_its_run(first: int) -> None:
    """The hash in each picture is that of the diagram that its trace gives; a build looks at each third picture."""
    wrong = [
        run
        for run in RUNS[first::3]
        if not is_picture_of(
            (GALLERY / f"{run}.svg").read_bytes(), space_time(read_trace(GALLERY / f"{run}.itf.json"), run_file(run))
        )
    ]
    assert RUNS and wrong == []


def test_the_command_in_a_picture_names_the_run_beside_it() -> None:
    """Who stands in the folder of a picture can copy its command."""
    missing = []
    for name in RUNS:
        drawn = (GALLERY / f"{name}.svg").read_text("utf-8").replace("&#45;", "-")
        found = re.search(r"checker replay ([^<;\s]+)", drawn)
        if found is None or not (GALLERY / name).with_name(found[1]).exists():
            missing.append(name)
    assert missing == []


def test_every_run_is_a_trace_and_a_picture_and_stands_on_the_page_of_its_model_and_in_the_index() -> None:
    """Nothing is in the gallery that its pages do not show, and nothing on the pages that is not there."""
    pages = {page: page.read_text("utf-8") for page in GALLERY.glob("*/README.md")}
    shown = {f"{page.parent.name}/{name}" for page, text in pages.items() for name in re.findall(r"]\((.*)\.svg", text)}
    listed = re.findall(r"^\| \[[^]]*\]\(([^)]*)\) \| ", (GALLERY / "README.md").read_text("utf-8"), re.MULTILINE)
    heads = [f"{page.parent.name}/README.md#{anchor}" for page in sorted(pages) for anchor in anchors(pages[page])]
    assert shown == set(RUNS) and sorted(listed) == sorted(heads) and len(listed) == len(RUNS)
    files = {str(file.relative_to(GALLERY)) for file in GALLERY.glob("*/*")} - {
        f"{p.parent.name}/README.md" for p in pages
    }
    assert files == {run + ending for run in RUNS for ending in (".itf.json", ".svg", ".html")}


def test_runs_of_protocols_and_readings_stand_before_those_of_edits() -> None:
    """A published protocol that is wrong is what a reader looks for first; each row has the number of steps."""
    whole = (GALLERY / "README.md").read_text("utf-8")
    first, _, edits = whole.partition("\n## Edits\n")
    rows = {
        part: re.findall(r"^\| \[.*\]\((.*)\) \| (\w+) \| (\d+) \| ", part, re.MULTILINE) for part in (first, edits)
    }
    assert {of for _, of, _ in rows[first]} == {"protocol", "reading", "claim", "variant", "attempt"}
    assert {of for _, of, _ in rows[edits]} == {"edit", "repair"}
    steps = len(read_trace(GALLERY / "isis" / "Termination.itf.json").steps)
    assert ("isis/README.md#termination", "protocol", str(steps)) in rows[first]
    assert len(rows[first]) + len(rows[edits]) == len(RUNS)


def anchors(page: str) -> list[str]:
    """The anchors that hosts give the headings of the runs on a page."""
    heads = re.findall(r"^## (.*)$", page, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads]


def test_links_into_the_gallery_from_the_findings_lead_somewhere() -> None:
    """docs/findings.md and the pages behind it refer to diagrams that exist."""
    links = [
        page.parent / link
        for page in FINDINGS
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8"))
    ]
    assert links and [link for link in links if not link.exists()] == []


@pytest.mark.thorough
def test_the_searches_find_the_gallery_again_byte_for_byte() -> None:
    """No file would change if the gallery were written again."""
    assert compare_gallery(GALLERY, jobs=os.cpu_count() or 1, thorough=True).files == ()


def test_writing_twice_gives_the_same_files(tmp_path: Path) -> None:
    """Nothing in a file depends on time, place or the state of the directory: a run, its picture, its page, the
    page of its model and the index are written once."""
    assert len(write_gallery(tmp_path, [SMALL]).files) == 5
    first = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert write_gallery(tmp_path, [SMALL]).files == ()
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == first


def test_what_is_altered_missing_or_too_much_is_found_and_repaired(tmp_path: Path) -> None:
    """--check ends with exit code 1 and writes nothing; writing makes all well again, and leaves what the page of the
    model says of runs that are not named."""
    write_gallery(tmp_path, [SMALL, "basic_multicast:AcknowledgeOnce"])
    folder = tmp_path / "basic_multicast"
    index, page, run_file = tmp_path / "README.md", folder / "README.md", folder / "Ordered-FifoOrder.itf.json"
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    assert "## Ordered: FifoOrder" in page.read_text("utf-8") and "AcknowledgeOnce" in page.read_text("utf-8")
    index.write_text(index.read_text("utf-8") + "more\n", encoding="utf-8")
    shutil.copy(run_file, folder / "Ordered-Validity.itf.json")
    run_file.unlink()
    picture = run_file.with_name("Ordered-FifoOrder.svg")
    picture.write_bytes(picture.read_bytes().replace(b"sha256 ", b"sha256 0"))
    found = dict(compare_gallery(tmp_path, [SMALL]).files)
    assert found == {
        "README.md": "differs",
        "basic_multicast/Ordered-FifoOrder.itf.json": "missing",
        "basic_multicast/Ordered-Validity.itf.json": "nothing asks for it any more",
        "basic_multicast/Ordered-FifoOrder.svg": "shows another diagram",
        "basic_multicast/Ordered-FifoOrder.html": "differs",
    }
    assert not run_file.exists() and run(["gallery", SMALL, "--out", str(tmp_path), "--check"]) == 1
    assert run(["gallery", SMALL, "--out", str(tmp_path), "--jobs", "1"]) == 0
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
    assert run(["gallery", SMALL, "--out", str(tmp_path), "--check"]) == 0


def test_a_property_that_a_shown_run_violates_too_has_no_run_of_its_own(tmp_path: Path) -> None:
    """A lost message breaks four properties in one run, shown once."""
    write_gallery(tmp_path, ["basic_multicast:OthersOnly"])
    assert [f.name for f in tmp_path.glob("*/*.svg")] == ["OthersOnly-Agreement.svg"]
    assert "violates UniformAgreement" in (tmp_path / "basic_multicast" / "README.md").read_text("utf-8")


def test_files_that_the_gallery_did_not_write_stay(tmp_path: Path) -> None:
    """A directory with other things in it loses none of them."""
    for name in ("notes", "reports"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "README.md").write_text("mine", encoding="utf-8")
    (tmp_path / "reports" / "trace.itf.json").write_text("{}", encoding="utf-8")
    (tmp_path / "reports" / "trace.txt").write_text("mine too", encoding="utf-8")
    write_gallery(tmp_path, [SMALL])
    assert (tmp_path / "notes" / "README.md").read_text("utf-8") == "mine"
    assert {f.name for f in (tmp_path / "reports").iterdir()} == {"README.md", "trace.itf.json", "trace.txt"}


NO_LINE = {"consensus/HeardOf-Decision", "consensus/EventuallyDecides-Decision"}
"""Runs that repeat steps for ever: nothing is disabled all the time, and no step breaks the property."""


def test_above_every_picture_a_line_of_source_is_named() -> None:
    """Of the CAUSE, of the step that breaks the property, or of what stays disabled; so a reader finds it at once."""
    without = set()
    for name in RUNS:
        texts = re.findall(r"<text[^>]*>([^<]*)<", (GALLERY / f"{name}.svg").read_text(encoding="utf-8"))
        head = texts[: next(n for n, text in enumerate(texts) if text in ("step", "state changes"))]
        if not re.search(r"\.py:\d+", " ".join(head)):
            without.add(name)
    assert without == NO_LINE

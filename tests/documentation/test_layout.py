"""How the pages are laid out: lines of at most 120 columns, links that lead somewhere, paths that exist."""

from __future__ import annotations

import re
import shutil
from importlib import import_module
from pathlib import Path

import pytest

import checker
from checker.report.dot import render
from checker.report.space_time import space_time
from tests.documentation.documents import FINDINGS, PAGES, ROOT, prose
from tests.report import runs
from tests.test_architecture import ALLOWED

WIDTH = 120
LINK = re.compile(r"\]\(([^()\s]+)\)")
SPAN = re.compile(r"`[^`]+`")
PATHS = re.compile(r"`((?:checker|tests|benchmarks|models|properties|docs)/[\w/.*-]*)`")
MODULES = re.compile(r"`(checker(?:\.\w+)+)[`(]")


def lines(page: Path) -> list[tuple[int, str]]:
    """The lines of a page outside code blocks and tables, with their numbers; sections written elsewhere left out."""
    text = re.sub(
        r"^### What was mutated\n.*?(?=^## )", lambda found: "\n" * found[0].count("\n"), prose(page), flags=re.M | re.S
    )
    return [(n, line) for n, line in enumerate(text.splitlines(), 1) if not line.lstrip().startswith(("|", "!["))]


def too_long(line: str) -> bool:
    """Whether a line is too long and could be broken: a command in one piece, or a link, cannot."""
    pieces = SPAN.sub(lambda found: found[0].replace(" ", "_"), line.strip().removeprefix("* ")).split()
    return len(line) > WIDTH and len(pieces) > 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_lines_have_at_most_120_columns(page: Path) -> None:
    """Tables and code blocks may be longer, and so may a command that cannot be broken."""
    found = [f"{page.name}:{n}: {len(line)} columns" for n, line in lines(page) if too_long(line)]
    assert found == []


def test_a_long_line_is_noticed() -> None:
    """Not if nothing in it can be broken."""
    assert too_long("word " * 30) and not too_long("x" * 130) and not too_long("* `" + "word " * 30 + "`.")


def anchors(page: Path) -> set[str]:
    """The anchors that hosts give the headings of a page."""
    heads = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head) for head in heads)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_to_a_file_and_a_heading_that_exist(page: Path) -> None:
    """Links within the repository; what is on the network is not looked at."""
    missing = []
    for target in LINK.findall(prose(page)):
        name, _, anchor = target.partition("#")
        file = page if not name else (page.parent / name).resolve()
        if "://" in target:
            continue
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            missing.append(target)
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_path_or_module_that_a_page_names_exists(page: Path) -> None:
    """`checker/...`, `tests/...` and dotted names of modules, as far as they are modules."""
    text = page.read_text(encoding="utf-8")
    missing = [path for path in PATHS.findall(text) if not list(ROOT.glob(path.rstrip("/")))]
    missing += [name for name in MODULES.findall(text) if not is_module(name)]
    assert missing == []


def is_module(name: str) -> bool:
    """Whether a dotted name is a module or package, something in one, or a name of the public interface."""
    parts = name.split(".")
    return parts[1] in checker.__all__ or any(
        (ROOT.joinpath(*parts[:n]).with_suffix(".py")).exists() or (n == len(parts) and ROOT.joinpath(*parts).is_dir())
        for n in range(len(parts), max(1, len(parts) - 2), -1)
    )


def packages(page: Path) -> Path | None:
    """The package that an internals page is about: the directory its first paragraph names."""
    found = re.search(r"^# .*\n\n`(checker/[\w/]+)/`", page.read_text(encoding="utf-8"), re.MULTILINE)
    return ROOT / found[1] if found else None


INTERNALS = [page for page in PAGES if packages(page) is not None]


@pytest.mark.parametrize("page", INTERNALS, ids=lambda page: page.name)
def test_a_table_of_files_names_modules_of_the_package(page: Path) -> None:
    """In tables whose first column is "file", each name is a module of the package that the page is about."""
    package = packages(page)
    assert package is not None
    tables = re.findall(r"^\| file \|.*\n(?:\|.*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
    named = {
        name for table in tables for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    assert {name for name in named if not (package / f"{name}.py").exists()} == set()


def test_the_internals_pages_say_from_where_to_where() -> None:
    """Each has its input, its output, invariants and known limitations, and can be read at once."""
    assert {page.name for page in INTERNALS} >= {
        "comparison_internals.md",
        "engines.md",
        "front_end.md",
        "ir.md",
        "modelling.md",
        "native.md",
        "questions.md",
        "replay.md",
        "report.md",
        "results.md",
        "search.md",
        "smt.md",
        "vacuity.md",
    }
    for page in INTERNALS:
        text = page.read_text(encoding="utf-8")
        for wanted in ("**From**", "**To**", "nvariant", "## Known limitations"):
            assert wanted in text, f"{page.name} has no {wanted}"


def test_each_package_is_on_an_internals_page() -> None:
    """Its own page, or a page that says what it does beside others."""
    packages_of = {str(f.parent.relative_to(ROOT)) for f in (ROOT / "checker").rglob("__init__.py")} - {"checker"}
    pages = [page.read_text(encoding="utf-8") for page in INTERNALS]
    assert {p for p in packages_of if not any(f"`{p}/`" in text for text in pages)} == set()


def test_the_contents_name_every_page() -> None:
    """docs/README.md leads to each page, docs/findings.md to the pages behind it."""
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    named = {name.partition("#")[0] for name in LINK.findall(contents)}
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"} <= named
    first, *behind = FINDINGS
    led = {name.partition("#")[0] for name in LINK.findall(first.read_text(encoding="utf-8"))}
    assert behind and {f"findings/{page.name}" for page in behind} <= led


def test_the_page_about_the_house_has_a_line_for_each_part_of_the_rules() -> None:
    """What `tests/test_architecture.py` allows and docs/house.md explains are the same parts."""
    parts = {part.split(".")[1] for part in ALLOWED if part.startswith("checker.")}
    rows = re.findall(r"^\| (`checker/[^|]*)\|", (ROOT / "docs" / "house.md").read_text(encoding="utf-8"), re.MULTILINE)
    table = {name for row in rows for name in re.findall(r"checker/(\w+)", row)}
    assert parts - {"__init__", "__main__", "pytest_plugin"} == table


@pytest.mark.parametrize("picture", sorted((ROOT / "docs").glob("*.svg")), ids=lambda file: file.name)
def test_a_drawn_picture_has_a_title_and_a_description(picture: Path) -> None:
    """For readers who do not see it; what a pointer shows is in words."""
    text = picture.read_text(encoding="utf-8")
    first, *tips = re.findall(r"<title>([^<]*)</title>", text)
    assert ' role="img"' in text and re.search(r"<desc>[^<]+</desc>", text)
    assert " violated " in first and tips and all(tip.startswith("Step ") for tip in tips)


@pytest.mark.skipif(shutil.which("dot") is None, reason="the dot program is not installed")
def test_the_picture_of_the_page_on_counterexamples_is_drawn_as_pictures_are_now() -> None:
    """Its texts, in order; places depend on the fonts of the machine."""
    drawn = render(space_time(runs.total_order())).decode()
    kept = (ROOT / "docs" / "reading_a_counterexample.svg").read_text(encoding="utf-8")
    found = [re.findall(r"<(?:text|title|desc)[^>]*>([^<]*)<", text) for text in (drawn, kept)]
    assert found[0] == found[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_an_example_imports_from_the_checker_is_there(page: Path) -> None:
    """Also in a part of a program that no test runs."""
    blocks = re.findall(r"^ *```python.*?\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in re.findall(r"^ *from (checker[\w.]*) import ([\w, ]+)$", block, re.M)]
    named = [(module, name.split(" as ")[0].strip()) for module, names in lines for name in names.split(",")]
    missing = [found for found in named if found[1] and not hasattr(import_module(found[0]), found[1])]
    assert missing == []

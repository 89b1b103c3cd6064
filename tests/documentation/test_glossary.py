"""docs/glossary.md against the code and the other pages: modules exist, terms are used, retired words are not."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.documentation.documents import PAGES, ROOT, prose

GLOSSARY = ROOT / "docs" / "glossary.md"
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines()
    if line.startswith("| **")
]

# private words that have a term of the field: neither pages nor docstrings of modules have them
RETIRED = (
    r"\bhollow",
    r"\bput to the test\b",
    r"\bfor want of\b",
    r"\bowed\b",
    r"\btold\b",
    r"\bjudged?\b",
    r"\bmay wait for ever\b",
    r"\bshould doubt\b",
    r"\bwhat is said\b",
    r"\bgoes down, what is violated goes up\b",
    r"\d signs\b",
)
ELSEWHERE = {"sweeps.md", "glossary.md"}


def used(text: str) -> str:
    """A page's own words: without code, code spans and targets of links."""
    return " ".join(re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "", text)).split())


@cache
def _read() -> tuple[dict[str, str], dict[Path, str]]:
    """Of the code of the checker the texts of several words that it can print, by file and line, which are no
    docstrings; and the docstring of each module."""
    messages: dict[str, str] = {}
    docstrings: dict[Path, str] = {}
    for file in sorted((ROOT / "checker").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        docstrings[file] = " ".join((ast.get_docstring(tree) or "").split())
        prose: set[int] = set()
        texts: list[ast.Constant] = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Expr):
                prose.add(id(node.value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node)
        for text in texts:
            value = str(text.value)
            if id(text) not in prose and (" " in value.strip() or value.strip().isupper()):
                messages[f"{file.relative_to(ROOT)}:{text.lineno}"] = value
    return messages, docstrings


def messages() -> dict[str, str]:
    """Texts of several words in the code of the checker, but docstrings: what it can print, by file and line."""
    return _read()[0]


def docstrings() -> dict[Path, str]:
    """The docstring of each module of the checker."""
    return _read()[1]


def test_each_row_says_what_where_and_the_words_of_others() -> None:
    """Five cells, none of them empty."""
    assert len(ROWS) >= 50 and all(len(row) == 5 and all(row) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("*"))
def test_a_term_is_implemented_where_the_glossary_says(row: list[str]) -> None:
    """The modules exist."""
    paths = re.findall(r"`([^`]+)`", row[2])
    assert paths and [path for path in paths if not (ROOT / path).is_file()] == []


@cache
def other_pages() -> str:
    """What all pages but the glossary say, in small letters."""
    return " ".join(used(prose(page)) for page in PAGES if page != GLOSSARY).lower()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip("*"))
def test_a_term_is_used_in_the_documentation(row: list[str]) -> None:
    """Every bold term of a row's first cell and meaning occurs in another page."""
    terms = re.findall(r"\*\*([^*]+)\*\*", row[0] + row[1])
    assert [term for term in terms if term.lower() not in other_pages()] == []


@pytest.mark.parametrize("page", [p for p in PAGES if p.name not in ELSEWHERE], ids=lambda page: page.name)
def test_a_page_has_no_retired_word(page: Path) -> None:
    """The words of the field instead; what commands print is quoted as code."""
    text = used(prose(page))
    assert [found[0] for word in RETIRED for found in re.finditer(word, text, re.IGNORECASE)] == []


@pytest.mark.parametrize("word", RETIRED)
def test_docstrings_of_modules_have_no_retired_word(word: str) -> None:
    """As the pages."""
    assert [str(f.relative_to(ROOT)) for f, text in docstrings().items() if re.search(word, text, re.IGNORECASE)] == []


@pytest.mark.parametrize("word", RETIRED)
def test_no_message_has_a_retired_word(word: str) -> None:
    """As the pages: help, reports and errors use the words that the glossary explains."""
    assert {place: text for place, text in messages().items() if re.search(word, text, re.IGNORECASE)} == {}

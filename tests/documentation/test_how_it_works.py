"""The toy checker of docs/how_it_works.md, and the first model of the README: what is printed there is what happens."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from checker.analysis.check import check
from checker.catalogue import find
from checker.pytest_plugin import model_tests

ROOT = Path(__file__).resolve().parents[2]


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of one language in a document."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def run_toy() -> str:
    """What the toy checker prints."""
    (source,) = blocks("docs/how_it_works.md", "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "how_it_works.md", "exec"), {"__name__": "toy"})
    return printed.getvalue()


def test_the_toy_checker_prints_what_its_document_says() -> None:
    """The verdicts and the counterexample in the document are its own."""
    (expected,) = blocks("docs/how_it_works.md", "text")
    assert run_toy() == expected


def test_the_toy_checker_counts_what_the_checker_counts() -> None:
    """States, transitions and levels of basic multicast with two processes and one message each."""
    report = check(find("basic_multicast").cls, "basic_multicast", {"workload": (1, 1)}, only=["Termination"])
    assert f"{report.distinct} states, {report.transitions} transitions, {report.depth} levels" in run_toy()


def test_the_toy_checker_has_about_a_hundred_lines() -> None:
    """Short enough to be read at once."""
    (source,) = blocks("docs/how_it_works.md", "python")
    assert len(source.splitlines()) < 110


def test_the_readme_shows_the_first_model_as_it_is() -> None:
    """The model on the README's first screen is docs/first_model.py."""
    assert (ROOT / "docs" / "first_model.py").read_text(encoding="utf-8") in blocks("README.md", "python")


test_first_model = model_tests(str(ROOT / "docs" / "first_model.py"))

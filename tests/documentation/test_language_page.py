"""docs/language.md: the model that its section on classes shows is a model, and holds."""

from __future__ import annotations

from pathlib import Path

from checker.analysis.check import check
from checker.catalogue import find
from tests.documentation.documents import ROOT, blocks

IMPORTS = "from checker.language import Int, Model, action, const, holds, invariant, require, rule, var\n\n\n"


def test_the_class_that_the_reference_begins_with_holds(tmp_path: Path) -> None:
    """It has what its comments number, and a section of the page for each number."""
    page = ROOT / "docs" / "language.md"
    (text,) = (block.text for block in blocks(page) if block.text.startswith("class Counter(Model)"))
    file = tmp_path / "counter.py"
    file.write_text(IMPORTS + text, encoding="utf-8")
    report = check(find(str(file)).cls, "counter")
    assert report.verdict == "holds" and report.distinct == 4
    for number, title in ((1, "Constants"), (2, "Types"), (3, "State"), (4, "Actions"), (8, "Properties")):
        assert f"# {number}. {title.lower()}" in text and f"\n## {number}. {title}\n" in page.read_text("utf-8")

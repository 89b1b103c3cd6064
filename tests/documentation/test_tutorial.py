"""docs/tutorial.md, followed as a reader follows it: an empty folder, its files, its commands, their output."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.pytest_plugin import model_tests
from tests.documentation.documents import ROOT, blocks, follow, replaced, same

TUTORIAL = ROOT / "docs" / "tutorial.md"
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))

test_examples = model_tests(*map(str, EXAMPLES))


def test_the_tutorial_prints_what_it_shows_and_ends_with_the_examples(tmp_path: Path) -> None:
    """Each command in turn, in one folder; then the files that the reader has made are those in docs/examples."""
    for block, command, expected, printed in follow(TUTORIAL, tmp_path):
        assert same(expected, printed), f"docs/tutorial.md:{block.line}: $ {command}\nprints\n{printed}"
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.py")}
    examples = {path.name: path.read_text(encoding="utf-8") for path in EXAMPLES}
    assert set(made) - set(examples) == {"test_models.py"}
    assert {name: text for name, text in made.items() if name != "test_models.py"}.items() <= examples.items()
    assert (tmp_path / "report" / "broadcast-Agreement" / "trace.html").exists()


def test_the_workflow_verifies_the_models_that_the_tutorial_verifies() -> None:
    """What the workflow gives to the action was executed above it; tests/ci runs the steps of the action."""
    (workflow,) = (block for block in blocks(TUTORIAL) if block.language == "yaml")
    models = next(line for line in workflow.text.splitlines() if "models: " in line).partition("models: ")[2]
    assert any(f"$ checker verify {models} --junit" in block.text for block in blocks(TUTORIAL))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_expects_something_to_break(path: Path) -> None:
    """At most a hundred lines, and one expected violation at least."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100 and "violates(" in text


def test_other_output_than_shown_is_noticed() -> None:
    """Times may differ and `...` may be anything; a count, a missing line and a further line may not."""
    shown = "explored 12 states, 0.1 s\n...\nHOLDS ... states"
    assert same(shown, "explored 12 states, 7.3 s\nx\ny\nHOLDS all 12 states\n")
    assert not same(shown, "explored 13 states, 0.1 s\nHOLDS all 12 states\n")
    assert not same(shown, "explored 12 states, 0.1 s\nHOLDS all 12 states\nmore\n")
    assert not same(shown, "explored 12 states, 0.1 s\n")


def test_a_diff_must_fit_one_place() -> None:
    """A diff replaces what it names, and fails where the file has it twice or not at all."""
    assert replaced("a\nb\n", " a\n-b\n+c\n") == "a\nc\n"
    for text in ("a\n", "b\nb\n"):
        with pytest.raises(AssertionError):
            replaced(text, "-b\n+c\n")

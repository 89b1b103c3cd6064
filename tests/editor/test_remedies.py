"""Edits for remedies: only where one place in the text is meant, and only what the remedy says."""

from __future__ import annotations

import pytest

from checker.editor import remedies
from checker.editor.source import Source
from checker.language.errors import UsageError
from checker.results.vacuity import Vacuity
from checker.wording import Advice, question, write_instead

TEXT = '''from base import Base


class Edit(Base):
    expect = [holds(at={"n": 2}, distinct=1_200, depth=3), violates("safe", steps=4)]

    def dew(self, p):
        """Whether p is dew."""
        return number[p] == 0 and "v" in self.seen


class Other(Edit):
    """EDIT: nothing."""


class Last(Base):
    """EDIT: nothing."""
'''


def fixed(text: str, fix: remedies.Fix) -> str:
    """The text after a fix of one line."""
    (edit,) = fix.edits
    lines = text.splitlines(keepends=True)
    (line, first), (_, last) = edit.first, edit.last
    assert lines[line - 1][first:last] == edit.old
    lines[line - 1] = lines[line - 1][:first] + edit.new + lines[line - 1][last:]
    return "".join(lines)


@pytest.mark.parametrize(
    ("error", "old", "new"),
    [
        (
            UsageError("there is no number", line=9, remedy=write_instead("self.number"), fragment="number"),
            "number",
            "self.number",
        ),
        (UsageError("a string", line=9, remedy=write_instead("Shade.v"), fragment="'v'"), None, None),
        (UsageError("a string", line=9, remedy=write_instead("Shade.v"), fragment='"v"'), '"v"', "Shade.v"),
        (UsageError("it has no seen", line=9, remedy=question(["scene"]), fragment="self.seen"), "seen", "scene"),
        (UsageError("Edit.expect names save", line=5, remedy=question(["safe"])), None, None),
        (UsageError("no such thing", line=9, remedy="Write self.seen."), None, None),
        (UsageError("no such thing", line=9, remedy="Make it smaller."), None, None),
        (UsageError("no line", remedy=question(["scene"]), fragment="self.seen"), None, None),
    ],
)
def test_an_error_is_mended_where_one_place_is_meant(error: UsageError, old: str | None, new: str | None) -> None:
    """A name in the message that stands once on the line, or the fragment; else there is no edit."""
    found = remedies.of_error(Source.of(TEXT), error)
    if old is None:
        assert found == ()
    else:
        assert fixed(TEXT, found[0]) == TEXT.replace(old, str(new), 1)


def test_several_names_that_may_be_meant_are_several_edits() -> None:
    """The editor asks which."""
    error = UsageError("it has no seen", line=9, remedy=question(["scene", "been"]), fragment="self.seen")
    titles = [fix.title for fix in remedies.of_error(Source.of(TEXT), error)]
    assert titles == ["Change seen to scene", "Change seen to been"]


def test_a_rule_that_overrides_nothing_is_renamed_at_its_definition() -> None:
    """Not in its text; without a name that was meant there is nothing to offer."""
    text = "dew overrides nothing and nothing calls it"
    finding = Vacuity("never-called", "dew", Advice(f"{text}; did you mean due?", ["due"]))
    fix = remedies.of_finding(Source.of(TEXT), "Edit", finding)
    assert fix is not None and fixed(TEXT, fix) == TEXT.replace("def dew", "def due")
    assert remedies.of_finding(Source.of(TEXT), "Edit", Vacuity("never-called", "dew", text)) is None


def test_an_edit_that_edits_nothing_is_removed_unless_something_names_it() -> None:
    """Edit is the base of Other."""
    source = Source.of(TEXT)
    last = remedies.of_finding(source, "Last", Vacuity("edits-nothing", "Last", "Last is the same as Base"))
    assert last is not None and last.edits[0].old == '\n\n\nclass Last(Base):\n    """EDIT: nothing."""'
    other = remedies.of_finding(source, "Other", Vacuity("edits-nothing", "Other", "Other is the same as Edit"))
    assert other is not None and other.edits[0].old == '\n\nclass Other(Edit):\n    """EDIT: nothing."""\n'
    assert remedies.of_finding(source, "Edit", Vacuity("edits-nothing", "Edit", "the same")) is None


def test_counts_are_changed_in_their_expectation_as_they_are_written() -> None:
    """With digits in groups if they were; the count that is as stated stays."""
    source = Source.of(TEXT)
    fix = remedies.of_counts(source, "Edit", 0, {"distinct": (1200, 34567)})
    assert fix is not None and fixed(TEXT, fix) == TEXT.replace("1_200", "34_567")
    steps = remedies.of_counts(source, "Edit", 1, {"steps": (4, 2)})
    assert steps is not None and fixed(TEXT, steps) == TEXT.replace("steps=4", "steps=2")
    assert remedies.of_counts(source, "Edit", 0, {"steps": (4, 2)}) is None
    assert remedies.of_counts(source, "Edit", 7, {"steps": (4, 2)}) is None


def test_the_class_and_the_method_around_a_line_are_found_in_a_text_that_is_no_python() -> None:
    """As it is while somebody types."""
    source = Source.of(TEXT.replace("return number[p] == 0", "return number[p] =="))
    assert source.tree.body == [] and source.class_at(9) == "Edit" and source.method_at(9) == "dew"
    assert source.class_at(1) == "" and source.method_at(5) == ""

"""Text of a model as code in Markdown: what a host shows is the text itself, also if it has backquotes."""

from __future__ import annotations

import re

import pytest

from checker.report.markdown import code


@pytest.mark.parametrize("text", ["a", "a`b", "`", "`a", "a``b`c", "expect('`')", "``` ``"])
def test_code_is_shown_as_it_is(text: str) -> None:
    """The fence is longer than each run of backquotes in the text, so none of them ends it (CommonMark, 6.1)."""
    found = re.fullmatch(r"(`+)((?s:.)*?)(?<!`)\1", code(text))
    assert found is not None and found[1] not in re.findall("`+", text)
    shown = found[2]
    if shown.startswith(" ") and shown.endswith(" ") and shown.strip():
        shown = shown[1:-1]
    assert shown == text

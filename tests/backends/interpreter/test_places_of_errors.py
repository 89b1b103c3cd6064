"""An error in a step has the line of the model at which it happened, whatever Python calls in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from checker.analysis.check import check
from checker.catalogue import in_file

MODEL = """from checker.language import Bool, Ids, Model, Optional, action, anything, invariant, var


class Compares(Model):
    Site = Ids("s", 3)
    site = var(Site, anything)
    other = var(Optional[Site], None)
    less = var(Bool, False)

    @action
    def compare(self):
        self.less = {}

    @invariant
    def not_less(self):
        return not self.less
"""


@pytest.mark.parametrize("engine", ["native", "interpreter"])
@pytest.mark.parametrize(
    "expression",
    [
        "self.site < self.other",
        "self.site <= self.other",
        "self.site > self.other",
        "self.site >= self.other",
        "self.other <= self.site",
        "min(self.site, self.other) == self.site",
    ],
)
def test_a_comparison_with_none_fails_at_its_line(tmp_path: Path, expression: str, engine: str) -> None:
    """Both engines name line 12; no frame of the library is taken for the place."""
    file = tmp_path / "compares.py"
    file.write_text(MODEL.format(expression), encoding="utf-8")
    (entry,) = in_file(file)
    report = check(entry.cls, str(file), engine=engine)
    errors = [p.name for p in report.properties if p.verdict == "violated"]
    assert errors and all(name.endswith("(line 12)") for name in errors)

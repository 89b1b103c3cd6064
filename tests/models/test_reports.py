"""Every violation that a model or an edit states can be reported: its trace has reasons, pictures and pages.

A verdict is found before its reasons are sought, so an error in what seeks them would cost the user the verdict too.
"""

from pathlib import Path

import pytest

from checker.analysis.verify import cases
from checker.catalogue import catalogue
from checker.cli.program import run

VIOLATED = [e.reference for e in catalogue().entries if any(c.expectation.violated for c in cases(e))]
MODELS = list(dict.fromkeys(reference.split(":")[0] for reference in VIOLATED))


@pytest.mark.thorough
@pytest.mark.parametrize("model", MODELS)
def test_each_violation_that_is_stated_has_all_its_reports(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`checker verify --out DIR --all` meets what is stated, and writes a report of each violation."""
    files = {name: str(tmp_path / name) for name in ("json", "sarif", "junit", "markdown")}
    options = [option for name, file in files.items() for option in (f"--{name}", file)]
    called = ["verify", model, "--jobs", "1", "--all", "--out", str(tmp_path / "out"), *options]
    assert run(called) == 0, capsys.readouterr().out
    assert list((tmp_path / "out").rglob("*.svg")) and all(Path(file).stat().st_size for file in files.values())

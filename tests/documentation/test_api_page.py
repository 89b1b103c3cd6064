"""docs/api.md is executed, and what it names is all there is."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import checker

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One program, in their order; each checks its own results.  It runs in this process, which has imported and
    compiled most of what it needs."""
    program = tmp_path / "page.py"
    program.write_text("\n\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert runpy.run_path(str(program))["checker"] is checker
    assert (tmp_path / "search").exists()


def test_every_public_name_is_on_the_page() -> None:
    """And can be loaded; `Model` and `Undecided` are what functions take and raise."""
    for name in checker.__all__:
        assert getattr(checker, name).__name__ == name
        assert re.search(rf"\b{name}\b", TEXT) or name in ("Model", "Undecided"), name


def test_importing_the_checker_loads_nothing_heavy() -> None:
    """Neither the public functions nor the libraries under them."""
    program = "import sys, checker; print(*sorted(m for m in sys.modules if m.startswith('checker') or m == 'numpy'))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["checker"]


def test_the_classes_of_results_load_no_engine() -> None:
    """They are data: a program that only names one in an annotation does not pay for a search."""
    results = [name for name in checker.__all__ if isinstance(getattr(checker, name), type)]
    assert "Report" in results
    program = "import sys, checker; [getattr(checker, name) for name in sys.argv[1:]]; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program, *results], capture_output=True, text=True, check=True)
    assert {"numpy", "llvmlite", "z3", "pyspark", "checker.analysis"}.isdisjoint(ran.stdout.split())


def test_values_show_themselves_in_a_notebook() -> None:
    """A report and a trace by methods that IPython calls."""
    report = checker.check("isis:DeliverAnyFinal", workload=(1, 1))
    trace = next(p.trace for p in report.properties if p.trace is not None)
    html = report._repr_html_()
    assert html is not None and "violated" in html and ("<svg" in html or "<pre>" in html)
    assert trace._repr_html_() in html

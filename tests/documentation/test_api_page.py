"""docs/api.md is executed, and what it names is all there is."""

from __future__ import annotations

import errno
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import checker
from checker.displayed import Displayed
from checker.language import Int, Model, action, invariant, var
from checker.report.printed import LINES
from checker.report.written import unwritten

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


class Counter(Model):
    """Counts to 3."""

    n = var(Int(0, 3), 0)

    @action
    def up(self) -> None:
        self.n = min(self.n + 1, 3)

    @invariant
    def small(self) -> bool:
        return self.n <= 3


def test_the_examples_of_the_page_run(tmp_path: Path) -> None:
    """One program, in their order; each checks its own results."""
    program = tmp_path / "page.py"
    program.write_text("\n\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)), encoding="utf-8")
    ran = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


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


def results() -> Iterator[Displayed]:
    """A value of every class of results, by the function that returns it."""
    yield (report := checker.check("isis:NoTieBreak", workload=(1, 1)))
    yield from (p.trace for p in report.properties if p.trace is not None)
    yield checker.find("isis", "len(delivered[p1]) == 1", workload=(1, 1))
    yield checker.simulate("isis:NoTieBreak", runs=20, workload=(1, 1))
    yield checker.prove(Counter)
    yield checker.latency("isis", workload=(1, 0))
    yield (family := checker.compare("isis", "isis:NoTieBreak", workload=(1, 1)))
    yield family.shown
    yield checker.sweep("isis", workload=[(1, 0)])


def test_print_shows_what_the_command_prints_and_repr_a_line() -> None:
    """Every class of results of the public interface has a text, and its `repr` is one short line."""
    seen = set()
    for found in results():
        line, text = repr(found), str(found)
        assert line.startswith(f"<{type(found).__name__}: ") and "\n" not in line and len(line) < 150
        assert text.count("\n") >= 4 and not text.startswith("<")
        assert found._repr_html_()
        seen.add(type(found))
    assert seen == set(LINES)


def test_reports_are_written_from_a_program(tmp_path: Path) -> None:
    """`write_report` writes a page, a diagram and a trace that `read_trace` reads back; of a run alone the same."""
    report = checker.check("isis:NoTieBreak", workload=(1, 1))
    (trace,) = (p.trace for p in report.properties if p.trace is not None)
    files = checker.write_report(report, tmp_path / "report")
    assert {"trace.itf.json", "trace.html", "trace.txt"} <= {file.name for file in files}
    stored = next(file for file in files if file.name == "trace.itf.json")
    assert checker.read_trace(stored).states == trace.states
    assert {f.name for f in checker.write_report(trace, tmp_path / "alone")} == {f.name for f in files}
    assert checker.write_report(checker.check("isis", workload=(1, 0)), tmp_path / "holds") == []
    (tmp_path / "file").touch()
    with pytest.raises(checker.UsageError, match="cannot write there"):
        checker.write_report(report, tmp_path / "file")


def test_a_full_disk_is_an_error_of_the_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report that is not whole is never returned as written."""
    report = checker.check("isis:NoTieBreak", workload=(1, 1))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("checker.report.write.write_reports", full)
    with pytest.raises(checker.UsageError, match="No space left on device"):
        checker.write_report(report, tmp_path)
    assert not unwritten

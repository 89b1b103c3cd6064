"""The text of a result in a program: the output of the command of the same name, without colours and not wrapped.

Lines that name files are left out: a function of `checker.api` writes none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from checker.report import latency, proof, sweep
from checker.report.checked import check_lines
from checker.report.compare.first_screen import first_screen
from checker.report.compare.text import whole
from checker.report.found import search_lines, simulation_lines
from checker.report.lines import Line, plain
from checker.report.text import report_lines
from checker.results.checked import Report
from checker.results.comparison import Comparison
from checker.results.configurations import FamilyComparison
from checker.results.found import Search, Simulation
from checker.results.latency import Survey
from checker.results.proof import Proof
from checker.results.sweep import Sweep
from checker.trace.trace import Trace

LINES: dict[type, Callable[[Any], Iterable[Line]]] = {
    Report: lambda found: check_lines(found, {}),
    Trace: lambda found: report_lines(found, None),
    Comparison: lambda found: whole(found, lambda trace: ""),
    FamilyComparison: first_screen,
    Search: lambda found: search_lines(found, []),
    Simulation: lambda found: simulation_lines(found, []),
    Survey: latency.lines,
    Proof: lambda found: proof.lines(found, []),
    Sweep: sweep.lines,
}


def text(found: Any) -> str:
    """The lines of a result, without a line break at the end."""
    return "\n".join(plain(line).rstrip() for line in LINES[type(found)](found))

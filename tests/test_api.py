"""The functions of `import checker`: what they return, how it is shown, and what they refuse."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import checker
from benchmarks.models import TWO_PHASE_COMMIT
from checker.displayed import Displayed
from checker.language import Int, Model, action, invariant, var
from checker.report.printed import LINES
from checker.report.written import unwritten


class Counter(Model):
    """Counts to 3."""

    n = var(Int(0, 4), 0)

    @action
    def up(self) -> None:
        self.n = min(self.n + 1, 3)

    @invariant
    def small(self) -> bool:
        return self.n <= 3


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
        assert text.count("\n") >= 3 and not text.startswith("<")
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
    monkeypatch.undo()
    assert unwritten and checker.write_report(report, tmp_path)  # the next call is not held responsible
    assert not unwritten


def test_a_search_that_is_kept_goes_on_with_other_limits(tmp_path: Path) -> None:
    """`resume` ends with the report of a search that was never stopped."""
    whole = checker.check("isis", workload=(1, 1))
    stopped = checker.check("isis", workload=(1, 1), workdir=tmp_path / "w", max_states=50)
    resumed = checker.resume(tmp_path / "w", threads=2)
    assert (stopped.verdict, stopped.bound) == ("inconclusive", "states")
    assert (resumed.verdict, resumed.levels, resumed.transitions) == ("holds", whole.levels, whole.transitions)


def test_states_beyond_memory_go_to_the_disk_that_is_named(tmp_path: Path) -> None:
    """The counts are those of the search in memory; a directory that is not there is an error."""
    with pytest.raises(checker.UsageError, match="there is no such directory"):
        checker.check(TWO_PHASE_COMMIT, managers=7, max_memory=1, spill=tmp_path / "none")
    spilled = checker.check(TWO_PHASE_COMMIT, managers=7, max_memory=1, spill=tmp_path)
    assert (spilled.distinct, spilled.transitions) == (296_448, 2_744_705)
    assert list(tmp_path.iterdir()) == []


def test_a_strict_check_calls_nothing_true_that_was_not_tested() -> None:
    """A property of which no state tests the condition gives `vacuous`, and without `strict` a finding at most."""

    class Still(Counter):
        @invariant
        def never_tested(self) -> bool:
            return self.n != 4 or self.n == 2

    assert checker.check(Counter, strict=True).verdict == "holds"
    assert checker.check(Still).verdict == "holds"
    assert checker.check(Still, strict=True).verdict == "vacuous"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_memory": "much"}, "'much' is not a size"),
        ({"max_memory": 0}, "0 is not a size"),
        ({"master": "local[2]"}, "are of the search on Spark"),
        ({"worker_memory": "1G"}, "are of the search on Spark"),
        ({"handover": 0}, "are of the search on Spark"),
        ({"spill": "s", "engine": "interpreter"}, "keeps all in memory"),
        ({"strict": True, "reduce": True}, "strict asks about every state"),
        ({"workdir": "w", "engine": "interpreter"}, "keeps no work directory"),
        ({"engine": "sparc"}, "there is no engine 'sparc'"),
    ],
)
def test_an_argument_without_effect_is_refused(given: dict[str, Any], message: str) -> None:
    """Whatever a program asks of a search has an effect, or is an error that says why not."""
    with pytest.raises(checker.UsageError, match=message):
        checker.check("isis", workload=(1, 0), **given)

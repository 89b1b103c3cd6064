"""`checker verify` in several processes: what it prints is what one process prints, in the same order; what ends it
early leaves what is done, and no process."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.check import Examined, examine
from checker.analysis.verify import select, verify_one
from checker.analysis.verify_all import verify_all
from checker.analysis.workers import each_done
from checker.cli.options import processors
from checker.language.errors import Undecided
from checker.replay.disagreement import Disagreement
from checker.replay.replay import Replay
from checker.results.checked import Report
from checker.results.exit_codes import INCONCLUSIVE, INTERNAL, VIOLATED
from checker.results.verified import Verified
from checker.search import improving
from checker.search.limits import Limits
from tests.analysis.endless import ENDLESS, PATIENCE, alive, running, until, workers
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

EXPECTED = """
    expect = [
        holds(at={"length": 1}),
        holds(at={"length": 2}),
        violates("short", at={"length": 4}, steps=3, distinct=31),
        holds(at={"length": 3}),
        violates("short", at={"length": 5}, only=["short"]),
        holds(at={"length": 2}, distinct=8),
"""


def expecting(*more: str) -> str:
    """The endless model with what it states: the fourth and the sixth of it are wrong."""
    text = ENDLESS.replace("invariant, require, var", "holds, invariant, require, var, violates")
    return text + EXPECTED + "".join(f"        {one},\n" for one in more) + "    ]\n"


ENDS_NEVER = [f'violates("short", at={{"length": {length}}})' for length in (60, 61, 4)]


def without_times(found: Any) -> Any:
    """Data of a result without seconds and memory."""
    if isinstance(found, dict):
        return {n: without_times(v) for n, v in found.items() if n not in ("seconds", "peak_memory")}
    return [without_times(v) for v in found] if isinstance(found, list) else found


def without_traces(result: Verified) -> tuple[Report | None, tuple[str, ...], bool]:
    """A result without seconds, memory and traces."""
    report = result.report
    if report is not None:
        bare = tuple(evolve(p, trace=None) for p in report.properties)
        report = evolve(report, properties=bare, seconds={}, peak_memory=0)
    return report, result.mismatches, result.met


@pytest.mark.parametrize(
    "name", ["basic_multicast", "basic_multicast:AcknowledgeOnce", "optimistic_multicast_1:AnyIdentifiers"]
)
def test_the_interpreter_confirms_runs_of_which_no_trace_is_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without traces a result is the same, number of steps included, and a run that the interpreter does not have is a
    disagreement all the same."""
    case = next(c for c in select([name])[0] if c.expectation.violated)
    with_traces, without = verify_one(case), verify_one(case, traces=False)
    assert without_traces(with_traces) == without_traces(without)
    assert with_traces.report is not None and without.report is not None
    broken = [(p.trace, q.trace) for p, q in zip(with_traces.report.properties, without.report.properties) if p.steps]
    assert broken and all(made is not None and left is None for made, left in broken)

    def differs(*_: object) -> None:
        raise Disagreement("another last state")

    monkeypatch.setattr(Replay, "_confirm", differs)
    with pytest.raises(Disagreement):
        verify_one(case, traces=False)


def test_results_do_not_depend_on_the_number_of_processes(checker: Checker, write: Write) -> None:
    """Lines, data, files of build servers and the exit code, in the order of the expectations; met or not."""
    file = write("endless.py", expecting())
    runs = []
    for jobs in ("1", "2", "5", "50"):
        ran = checker("verify", file, "--jobs", jobs, "--out", "out", "--json", "found.json", "--markdown", "m.md")
        data = json.loads(Path("found.json").read_text(encoding="utf-8"))
        lines = re.sub(r"\d+\.\d s\b", "", ran.out)
        runs.append((ran.code, lines, without_times(data), Path("m.md").read_text(encoding="utf-8")))
    assert runs[0][0] == VIOLATED
    assert [r["met"] for r in runs[0][2]["results"]] == [True, True, True, False, True, False]
    assert runs[1:] == [runs[0]] * 3


def collecting(_: int) -> tuple[int, int]:
    """How Python looks for garbage in this process: after how many objects more, and among which not."""
    return gc.get_threshold()[0], gc.get_freeze_count()


USUAL = 700
"""New objects after which Python collects garbage by itself; tests run with more (conftest.py)."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_searches_of_several_workers_wait_for_optimised_code(jobs: int) -> None:
    """One worker compiles it beside its search, because it leaves a processor unused."""
    answers = [in_turn for _, in_turn, _ in each_done(_optimises_in_turn, {1: 0, 2: 0}, jobs)]
    assert answers == [jobs > 1] * 2


def _optimises_in_turn(_: int) -> bool:
    return improving._in_turn


def test_workers_leave_what_their_parent_made_and_seldom_collect() -> None:
    """The parent goes on as before."""
    threshold, frozen = gc.get_threshold(), gc.get_freeze_count()
    made = [[number] for number in range(5000)]
    with closing(each_done(collecting, {1: 1}, 1)) as found:
        ((_, (young, left), _),) = found
    assert left >= frozen + len(made) and young > 10 * USUAL
    assert (gc.get_threshold(), gc.get_freeze_count()) == (threshold, frozen)


def test_one_expectation_is_checked_without_another_process(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many may be used: who watches it sees how far its search is."""
    monkeypatch.setattr("checker.analysis.verify_all.each_done", None)
    text = ENDLESS.replace("invariant, require, var", "holds, invariant, require, var")
    file = write("endless.py", f"{text}\n    expect = holds()\n")
    assert checker("verify", file, "--jobs", "8").code == 0


def test_memory_is_shared_out_unless_it_is_limited(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process may use its part of what is free; a limit that was given holds for each search."""
    given = []

    def noted(function: Any, *rest: Any) -> Any:
        given.append(function.keywords["how"]["limits"].max_memory)
        return each_done(function, *rest)

    monkeypatch.setattr("checker.analysis.verify_all.each_done", noted)
    monkeypatch.setattr("checker.analysis.workers.available_memory", lambda: 8_000_000_000)
    cases, _ = select([write("endless.py", expecting())])
    for limits in ({}, {"max_memory": 10**9}):
        list(verify_all(cases, jobs=4, limits=Limits(**limits)))
    assert given == [1_800_000_000, 10**9]


# what goes wrong


def test_an_internal_error_is_the_result_of_its_expectation(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code that differs from the interpreter, in one of the searches: the other results are printed, and the
    exit code is that of an internal error, as with one process."""

    def examined(cls: type, reference: str, constants: Any, **asked: Any) -> Examined:
        if constants["length"] == 4:
            raise Disagreement("they differ")
        return examine(cls, reference, constants, **asked)

    monkeypatch.setattr("checker.analysis.verify.examine", examined)
    file = write("endless.py", expecting())
    one, several = (checker("verify", file, "--jobs", jobs) for jobs in ("1", "3"))
    assert one.code == several.code == INTERNAL
    for ran in (one, several):
        assert "    internal error: Disagreement: they differ" in ran.out and "found internal error" in ran.out
        assert "6 expectations, 3 not met" in ran.out


@contextmanager
def at_what_never_ends(here: Path) -> Iterator[subprocess.Popen[str]]:
    """A verification in two processes, each with a search that never ends; its first six results have been read."""
    with running(here, "verify", "endless.py", "--jobs", "2", model=expecting(*ENDS_NEVER)) as ran:
        assert ran.stdout is not None
        read = list(iter(ran.stdout.readline, "    distinct should be 8, but is 7\n"))
        assert sum("as expected" in line for line in read) == 4
        until(lambda: len(workers(here, ran.pid)) == 2)
        yield ran
        until(lambda: not any(map(alive, workers(here, ran.pid))))


def rest(ran: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Its exit code, and what it still writes."""
    assert ran.stdout is not None and ran.stderr is not None
    out, err = ran.stdout.read(), ran.stderr.read()
    return ran.wait(PATIENCE), out, err


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_ctrl_c_leaves_what_is_done_and_no_process(here: Path) -> None:
    """Twice and to all processes, as terminals and `timeout` send it.  Of the six that end the last may not be done."""
    with at_what_never_ends(here) as ran:
        os.killpg(ran.pid, signal.SIGINT)
        os.kill(ran.pid, signal.SIGINT)
        code, out, err = rest(ran)
        assert (code, err) == (VIOLATED, "")
        found = re.search(r"(\d) expectations, (\d) not met", out)
        assert found is not None and (found[1], found[2]) in {("4", "1"), ("5", "1"), ("6", "2")}
        assert f"interrupted: {9 - int(found[1])} expectations not reached" in out


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
@pytest.mark.parametrize(("moment", "sent"), [(0, signal.SIGINT), (1, signal.SIGINT), (2, signal.SIGTERM)])
def test_ctrl_c_at_any_moment_ends_it(here: Path, moment: int, sent: signal.Signals) -> None:
    """While processes start, and while they search: with what is done, if that is nothing, too.  SIGTERM does the same,
    and each expectation that was not reached is an error for a build server."""
    files = ("--json", "-", "--junit", "j.xml", "--sarif", "s.json")
    with running(here, "verify", "endless.py", "--jobs", "2", *files, model=expecting(*ENDS_NEVER)) as ran:
        until(lambda: workers(here, ran.pid))
        time.sleep(0.05 * moment)
        os.killpg(ran.pid, sent)
        out, _ = ran.communicate(timeout=PATIENCE)
        done = json.loads(out)["results"]
        met = all(r["met"] for r in done)
        assert ran.returncode == (INCONCLUSIVE if met else VIOLATED)
        left = json.loads(out)["not_reached"]
        assert left == 9 - len(done)
        assert (here / "j.xml").read_text(encoding="utf-8").count("not reached: the command") == 2 * left
        (run,) = json.loads((here / "s.json").read_text(encoding="utf-8"))["runs"]
        assert run["invocations"] == [{"executionSuccessful": False}] and run["results"]
        until(lambda: not any(map(alive, workers(here, ran.pid))))


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_a_process_that_is_killed_ends_it(here: Path) -> None:
    """For want of memory, say: nothing is decided about the rest, and what happened is said."""
    with at_what_never_ends(here) as ran:
        os.kill(workers(here, ran.pid).pop(), signal.SIGKILL)
        code, out, err = rest(ran)
        assert (code, out) == (INCONCLUSIVE, "")
        assert "ended from outside" in err and "--jobs" in err


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_workers_end_with_a_verification_that_is_killed(here: Path) -> None:
    """It has no time to end them: they see it themselves, in the middle of a search."""
    with at_what_never_ends(here) as ran:
        ran.kill()


def test_processors_are_those_that_may_be_used(tmp_path: Path) -> None:
    """A control group's share of time counts, rounded up; never more than there are."""
    bound = processors(str(tmp_path / "none"))
    assert bound == len(os.sched_getaffinity(0))
    quota = tmp_path / "cpu.max"
    for text, most in (("max 100000", bound), ("50000 100000", 1), ("150000 100000", 2), ("6400000 100000", bound)):
        quota.write_text(text, encoding="ascii")
        assert processors(str(quota)) == min(bound, most)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
def test_a_process_that_is_killed_between_two_searches_ends_it_too() -> None:
    """It is idle then: what is sent to it does not arrive, which is not a closed standard output."""
    with closing(each_done(_process, {n: n for n in range(3)}, 1)) as found:
        _, process, _ = next(found)
        os.kill(process, signal.SIGKILL)
        until(lambda: not alive(process))
        with pytest.raises(Undecided, match="ended from outside"):
            next(found)


def _process(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("before", [0, 1])
def test_a_result_whose_data_ctrl_c_cut_off_is_not_counted(
    checker: Checker, write: Write, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """Else the exit code would speak of a result that the data do not show."""
    from checker.cli import verify_reported as command

    data, calls = command.verified_data, list[int]()

    def cut_off(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) > before:
            raise KeyboardInterrupt
        return data(*arguments)

    monkeypatch.setattr(command, "verified_data", cut_off)
    ran = checker("verify", write("endless.py", expecting()), "--jobs", "1", "--json", "-")
    found = json.loads(ran.out)
    assert ran.code == found["exit_code"] == INCONCLUSIVE and not found["met"] and found["not_reached"]
    assert len(found["results"]) == before

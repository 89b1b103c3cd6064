"""`checker check`: verdicts, exit codes, reports, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.models import TWO_PHASE_COMMIT
from checker.analysis.check import check
from checker.catalogue import find
from tests.cli import protocols
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]
ENGINES = ("native", "interpreter")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_that_holds_gives_0(checker: Checker, lock: str, engine: str) -> None:
    """The exit code of a model without violation is 0, and the states are counted."""
    ran = checker("check", lock, "--engine", engine)
    assert ran.code == 0
    assert "3 states, 4 transitions, 2 levels" in ran.out
    assert ran.out.splitlines()[-1].startswith("HOLDS")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_violation_gives_1_and_its_trace(checker: Checker, lock: str, engine: str) -> None:
    """The exit code of a violated model is 1; its shortest counterexample is printed."""
    ran = checker("check", f"{lock}:Careless", "--engine", engine)
    assert ran.code == 1
    assert "take" in ran.out
    assert ran.out.splitlines()[-1] == (
        "VIOLATED  alone in 2 steps; the search ended at the first violation: known was not decided, --all "
        "decides the rest and finds errors in later steps"
    )


def test_clients_and_servers_have_lanes(checker: Checker, write: Write) -> None:
    """Whoever acts is the first parameter of an action: a step stands at the server that serves, with its values, not
    at the client it serves."""
    trace = checker("check", write("servers.py", protocols.SERVERS), "--json", "-").json()["properties"][0]["trace"]
    assert trace["#meta"]["lanes"] == ["c1", "c2", "s1", "s2"]
    assert [state["#meta"]["step"]["lane"] for state in trace["states"][1:]] == ["c1", "c2", "s1", "s1"]
    assert set(trace["#meta"]["final_values"]) == {"s1", "s2"} and trace["#meta"]["guilty"] == ["s1"]


def test_a_goal_reached_nowhere_gives_1(checker: Checker, write: Write) -> None:
    """A reachable property that no state shows is a violation without trace."""
    ran = checker("check", write("never.py", protocols.NEVER), "--json", "-")
    found = ran.json()
    assert (ran.code, found["verdict"], found["properties"][0]["verdict"], found["properties"][0]["trace"]) == (
        1,
        "violated",
        "unreachable",
        None,
    )
    assert f"  UNREACHABLE {found['properties'][0]['name']}  (reachable)" in checker("check", "never.py").out


def test_a_model_without_initial_state_gives_3(checker: Checker, write: Write) -> None:
    """Where nothing was explored nothing holds: the verdict is vacuous."""
    assert checker("check", write("nothing.py", protocols.NOTHING)).code == 3


@pytest.mark.parametrize("limit", [("--max-depth", "2"), ("--max-states", "20")])
def test_a_search_cut_short_gives_4(checker: Checker, limit: tuple[str, str]) -> None:
    """A bound that ended the search makes the verdict inconclusive, never 'holds'."""
    ran = checker("check", TWO_PHASE_COMMIT, *limit, "--json", "-")
    found = ran.json()
    assert (ran.code, found["verdict"]) == (4, "inconclusive")
    assert found["bound"] == limit[0].removeprefix("--max-")


def test_leaving_a_type_is_a_violation_with_a_trace(checker: Checker, write: Write) -> None:
    """A result out of range is found with the steps that lead to it."""
    ran = checker("check", write("overflow.py", protocols.OVERFLOW), "--json", "-")
    error = next(p for p in ran.json()["properties"] if p["kind"] == "error")
    assert (ran.code, error["verdict"], error["steps"]) == (1, "violated", 3)


def test_of_several_models_the_worst_result_wins(checker: Checker, lock: str) -> None:
    """One violated model among others makes the exit code 1."""
    ran = checker("check", lock, f"{lock}:Careless", TWO_PHASE_COMMIT, "-D", "clients=2")
    assert ran.code == 2  # two_phase_commit has no constant `clients`, and that is found before any search
    assert "no constant clients" in ran.err and "states" not in ran.out
    ran = checker("check", lock, f"{lock}:Careless", "--json", "-")
    assert ran.code == 1
    assert [r["verdict"] for r in ran.json()["reports"]] == ["holds", "violated"]


def test_the_class_that_is_checked_and_the_other_models_of_its_file_are_named(checker: Checker, lock: str) -> None:
    """Edits too; nothing is said where a class is named, and of a shipped protocol only what edits nothing."""
    others = [word for word in checker("list", lock).out.split() if word.startswith(f"{lock}:")]
    assert others
    first = checker("check", lock).out.splitlines()[0]
    more = f"{len(others)} more model{'s' * (len(others) > 1)} in this file: {', '.join(others)}"
    assert first == f"{lock}: class Lock is checked; {more}"
    assert "is checked" not in checker("check", others[0]).out + checker("check", f"{lock}:Lock").out
    assert "is checked" not in checker("check", "wait_for_all").out


def test_only_the_chosen_properties_are_checked(checker: Checker, lock: str) -> None:
    """--property selects; what is not selected is not reported."""
    ran = checker("check", f"{lock}:Careless", "--property", "known,somebody_is_inside", "--json", "-")
    assert (ran.code, [p["name"] for p in ran.json()["properties"]]) == (0, ["somebody_is_inside", "known"])


def test_json_holds_the_whole_result(checker: Checker, lock: str, here: Path) -> None:
    """The JSON file names model, constants, counts, properties with traces, actions, times and memory."""
    ran = checker("check", f"{lock}:Careless", "-D", "clients=3", "--json", "out.json", "--all")
    found = json.loads((here / "out.json").read_text(encoding="utf-8"))
    assert found["exit_code"] == ran.code == 1
    assert (found["model"], found["constants"], found["engine"]) == ("Careless", {"clients": 3}, "native")
    assert (found["distinct"], found["transitions"], found["depth"], found["initial"], found["quiescent"]) == (
        19,
        57,
        5,
        1,
        0,
    )
    assert {a["name"]: a["fired"] for a in found["actions"]} == {"take": 24, "leave": 33}
    violated = next(p for p in found["properties"] if p["name"] == "alone")
    assert (violated["verdict"], violated["steps"], len(violated["trace"]["states"])) == ("violated", 2, 3)
    assert found["peak_memory"] > 0 and "search" in found["seconds"] and found["bound"] is None


def test_engines_report_the_same(checker: Checker, lock: str) -> None:
    """Native and interpreter agree in all but times, memory, their name, and that the one confirms the other."""
    results = [
        checker("check", f"{lock}:Careless", "--all", "--engine", engine, "--json", "-").json() for engine in ENGINES
    ]
    for result in results:
        for name in ("seconds", "peak_memory", "engine", "coverage", "validation"):
            del result[name]
        for found in result["properties"]:
            if found["trace"]:
                del found["trace"]["#meta"]["engine"]
    assert results[0] == results[1]


def test_reports_are_written_for_each_violated_property(checker: Checker, lock: str, here: Path) -> None:
    """--out gets a folder with the trace, its text and its diagram."""
    checker("check", f"{lock}:Careless", "--out", "report")
    folder = here / "report" / "lock-Careless-alone"
    assert {"trace.itf.json", "trace.txt", "trace.dot"} <= {f.name for f in folder.iterdir()}


def test_an_edit_of_another_file_is_found_beside_it(checker: Checker, lock: str, write: Write) -> None:
    """A model file may import its neighbours; its main class is the first it defines itself."""
    text = (
        '"""An edit in a file of its own."""\nfrom lock import Lock\n\n\nclass Other(Lock):\n    """EDIT: nothing."""\n'
    )
    ran = checker("check", write("other.py", text), "--json", "-")
    assert (ran.code, ran.json()["model"], ran.json()["distinct"]) == (0, "Other", 3)


def test_models_of_the_working_directory_are_found_by_name(checker: Checker, write: Write) -> None:
    """A file in ./models is known by its name, before those installed."""
    write("models/my_lock.py", protocols.LOCK)
    assert checker("check", "my_lock").code == 0
    assert checker("check", "my_lock:Careless").code == 1


def test_an_internal_error_is_no_verdict(checker: Checker, lock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the checker gives 70 and no traceback."""

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("broken inside")

    monkeypatch.delenv("CHECKER_DEBUG", raising=False)
    monkeypatch.setattr("checker.cli.checking.examine", fail)
    ran = checker("check", lock)
    assert ran.code == 70
    found = checker("check", lock, "--json", "-").json()
    assert found["exit_code"] == 70 and found["error"]["message"].startswith("internal error: ")
    assert "broken inside" in ran.err and "Traceback" not in ran.err


def test_how_far_a_limited_search_went_is_said_in_the_singular_too(checker: Checker, lock: str) -> None:
    """One level holds one state: the free lock."""
    for engine in ("native", "interpreter"):
        assert (
            "1 level expanded, 2 states not expanded"
            in checker("check", lock, "--max-depth", "1", "--engine", engine).out
        )
    assert "0 levels expanded, 1 state not expanded" in checker("check", lock, "--max-depth", "0").out


def test_one_expectation_is_not_all_of_them(checker: Checker, write: Write, lock: str) -> None:
    """The last line counts in the singular."""
    text = (
        '"""One edit."""\nfrom checker.language import holds\nfrom lock import Lock\n\n\nclass Other(Lock):\n    '
        '"""The same, stated."""\n\n    expect = holds()\n'
    )
    assert "\n1 expectation met\n" in checker("verify", f"{write('other.py', text)}").out


def test_the_last_row_has_of_a_map_what_is_not_as_at_the_start() -> None:
    """A timestamp for each of a dozen messages would hide the two that matter; the others are dots."""
    report = check(find("optimistic_multicast_2").cls, "optimistic_multicast_2", only=["StampedByTimestamp"])
    trace = report.properties[0].trace
    assert trace is not None
    assert trace.final_values["p1"] == "stamped {m1.1, n1.1.1}, final {m1.1: 1, n1.1.1: 1, ...}"
    assert trace.final_values["p2"] == "stamped {}, final {...}"


def test_a_violation_that_the_base_has_too_names_the_command_that_shows_what_is_new(
    checker: Checker, lock: str
) -> None:
    """With the constants of the check; not where the base holds, or one of the violations is new."""
    text = Path(lock).read_text()
    text += "\n\nclass Further(Careless):\n    limit = const(1)\n"
    worse = "\n\nclass Worse(Careless):\n    @invariant\n    def none(self) -> bool:\n"
    Path(lock).write_text(text + worse + "        return False\n", encoding="utf-8")
    out = checker("check", f"{lock}:Further", "-D", "clients=3").out
    what = "shows what the edit changes: the protocol before it breaks alone too"
    assert f"  next       checker compare {lock}:Further -D clients=3 {what}\nVIOLATED" in out
    assert "  next  " not in checker("check", f"{lock}:Careless").out
    assert "  next  " not in checker("check", f"{lock}:Worse", "--all").out

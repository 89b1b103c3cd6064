"""A shortest run to a state that satisfies a predicate written in the model's own words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.find import find_state
from checker.cli.program import run
from checker.language import Ids, Int, Map, Model, action, require, var
from checker.language.errors import UsageError
from checker.models.isis import Isis
from checker.results.found import Search
from tests.analysis.compare import lock

LOCK = Path(lock.__file__)
ENGINES = ["native", "interpreter"]


def found(predicate: str, **options: Any) -> Search:
    """A search in the lock."""
    return find_state(lock.Lock, "lock", predicate, **options)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("predicate", "steps"),
    [
        ("True", 0),
        ("holder == p2", 1),
        ("self.holder == self.Process[1]", 1),
        ("len(done) == 1 and holder is None", 2),
        ("p1 in done and p2 in inside", 3),
        ("all(p in done for p in Process)", 4),
        ("any(may_take(p) for p in Process) and len(done) == processes - 1", 2),
    ],
)
def test_the_run_is_as_short_as_can_be(predicate: str, steps: int, engine: str) -> None:
    """Names of the model, of members, of rules and constants; `self.` may be written."""
    result = found(predicate, engine=engine)
    assert (result.verdict, result.exit_code) == ("found", 0)
    assert result.trace is not None and len(result.trace.steps) == steps


@pytest.mark.parametrize("engine", ENGINES)
def test_what_no_state_satisfies_is_not_found(engine: str) -> None:
    """Everything was explored."""
    result = found("len(inside) == 2", engine=engine)
    assert (result.verdict, result.exit_code, result.trace) == ("none", 1, None)


def test_states_at_the_end_only() -> None:
    """A state that is passed through is no end."""
    assert found("len(done) == 1", at_end=True).verdict == "none"
    assert found("len(done) == 2", at_end=True).verdict == "found"


def test_a_search_that_was_stopped_decides_nothing() -> None:
    """Within one step nobody is done."""
    from checker.search.limits import Limits

    result = found("len(done) == 2", limits=Limits(max_depth=1))
    assert (result.verdict, result.exit_code, result.bound) == ("unknown", 4, "depth")


def test_members_whose_names_hold_a_point_are_known() -> None:
    """m1.1 is a message, not an attribute."""
    result = find_state(Isis, "isis", "delivered[p2] == [m2.1]", {"workload": (1, 1)})
    assert result.trace is not None
    assert result.trace.states[-1]["delivered"]["p2"] == ("m2.1",)


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        ("holdr is None", "Did you mean holder"),
        ("holder is None and", "is not an expression"),
        ("len(holder) == 1", "len"),
        ("done == p1", "compared with"),
    ],
)
def test_predicates_that_do_not_fit_are_refused(predicate: str, message: str) -> None:
    """Before any search."""
    with pytest.raises(UsageError) as error:
        found(predicate)
    assert message in str(error.value)


def test_an_error_in_a_predicate_is_told_in_its_own_words_with_the_column() -> None:
    """Members by their names, no `self.`, no name of a file that does not exist."""
    with pytest.raises(UsageError) as error:
        found("holder is None and done == p1")
    assert str(error.value).splitlines()[0].startswith("in the predicate 'holder is None and done == p1', column 20: ")
    assert "    done == p1" in str(error.value).splitlines()
    assert "self." not in str(error.value) and "<predicate" not in str(error.value)


@pytest.mark.parametrize(
    ("predicate", "where", "remedy"),
    [
        ("delivered[p1][0] == 'm1.1'", "column 21", "Write m1.1 without quotes"),
        ('delivered[p1][0] == "m1.1" and len(sent)', "column 21", "Write m1.1 without quotes"),
        ("len( delivered[p1] ) == 'two'", "column 25", "use an Enum"),
        ("m1.1 in delivered[m1.1]", "column 1 or 19", "A value of type Process"),
        ("len(delivered[p1] + sent [ p1 ]) == 1", "column ", ""),
    ],
)
def test_the_column_is_told_however_a_fragment_is_quoted_and_spaced(predicate: str, where: str, remedy: str) -> None:
    """Also where the same text stands twice: both places."""
    with pytest.raises(UsageError) as error:
        find_state(Isis, "isis", predicate, {"workload": (1, 1)})
    assert str(error.value).startswith(f"in the predicate '{predicate}', {where}")
    assert remedy in str(error.value)


def test_a_predicate_that_fails_is_told() -> None:
    """None has no index."""
    with pytest.raises(UsageError, match="model error"):
        found("holder.index == 1")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit codes 0, 1 and 2; the stored run can be replayed."""
    assert (
        run(["find", str(LOCK), "p2 in done", "--out", str(tmp_path / "out"), "--json", str(tmp_path / "f.json")]) == 0
    )
    data = json.loads((tmp_path / "f.json").read_text())
    assert (data["verdict"], data["exit_code"]) == ("found", 0)
    assert "FOUND  p2 in done: in 2 steps; no shorter run" in capsys.readouterr().out
    assert run(["replay", str(next((tmp_path / "out").iterdir()))]) == 0
    assert run(["find", str(LOCK), "len(inside) == 2"]) == 1
    assert run(["find", str(LOCK), "nothing"]) == 2


class Counting(Model):
    """Symmetric identities that count."""

    P = Ids("p", 3, symmetric=True)
    n = var(Map[P, Int(0, 2)], 0)

    @action
    def go(self, p: P):
        require(self.n[p] < 2)
        self.n[p] += 1


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_symmetric_members_have_names_unless_states_are_merged(engine: str) -> None:
    """What is asked from outside changes nothing of the model: only where states stand for others may it name
    nobody."""
    found = find_state(Counting, "counting", "n[p1] == 2 and n[P[1]] == 1", engine=engine)
    assert (found.verdict, found.trace and len(found.trace.steps)) == ("found", 3)
    with pytest.raises(UsageError, match="P is symmetric: no member can be named") as caught:
        find_state(Counting, "counting", "n[p1] == 2", {"symmetry": True}, engine=engine)
    assert "Without symmetry=true members have names here." in str(caught.value.remedy)
    assert (
        find_state(Counting, "counting", "any(n[p] == 2 for p in P)", {"symmetry": True}, engine=engine).verdict
        == "found"
    )


def test_a_protocol_is_not_called_an_edit_of_itself() -> None:
    """The class that looks for the state has the docstring of the protocol."""
    trace = found("holder == p2").trace
    assert trace is not None and trace.edit is None and trace.protocol

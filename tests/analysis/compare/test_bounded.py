"""A comparison that takes long: what its limit leaves open, and Ctrl-C."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.analysis.compare.undecided import left_open
from checker.backends.smt.clock import INTERRUPTED, Clock
from checker.cli.program import run
from checker.models.isis import Isis, NothingToItself
from checker.report.compare.summary import summary
from checker.report.compare.text import conclusion
from checker.results.comparison import Comparison
from checker.results.profile import Growth
from checker.search.limits import Limits
from tests.analysis.compare import lock

LOCK = Path(lock.__file__)


def cut(**options: Any) -> Comparison:
    """A comparison whose searches end before their first step."""
    return compare(
        Side(Isis, "isis"),
        Side(NothingToItself, "edit"),
        rule_seconds=0,
        step_seconds=0,
        limits=Limits(max_seconds=1e-9),
        **options,
    )


def test_where_something_grows_neither_more_seconds_nor_smaller_constants_are_advised() -> None:
    """What grows may grow without end in each configuration; the sentence on what grows says what to check."""
    found = cut()
    edit = evolve(found.edit, growing=Growth("net", 200, 200, ("send",), "send"))
    told = left_open(evolve(found, edit=edit), (Isis, NothingToItself), delays_cut=False)
    assert told.endswith("(--max-seconds): more seconds may never decide it, while something grows without a bound")


def test_a_search_that_ran_out_of_time_leaves_verdicts_open_and_names_the_option() -> None:
    """Nothing is claimed of either side; smaller constants are named; the conclusion is the reason."""
    found = cut()
    lines = {key: text for key, text, _ in summary(found)}
    assert found.exit_code == 4
    assert lines["open"] == (
        "verdicts and outcomes of isis beyond its first 0 states and of edit beyond its first 0 states "
        "(--max-seconds): more seconds decide it, or smaller constants, for example -D workload=1,0,0"
    )
    assert lines["breaks"] == f"nothing new so far: {len(found.common)} properties are in common"
    assert conclusion(found) == "; ".join(found.undecided) == lines["undecided"]


def test_a_limit_given_by_the_user_is_the_one_that_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """--max-seconds, of which the help names the default."""
    assert (
        run(
            [
                "compare",
                "isis:NothingToItself",
                "--max-seconds",
                "0.000000001",
                "--rules",
                "0",
                "--steps",
                "0",
                "--events",
                "0",
            ]
        )
        == 4
    )
    assert "stopped by the limit on seconds" in capsys.readouterr().out
    assert run(["compare", "--help"]) == 0
    assert "[default: 120.0" in " ".join(capsys.readouterr().out.split())


def test_a_broken_property_is_one_also_where_the_base_was_not_explored_fully() -> None:
    """The edit breaks it at once; what else it does is not known."""
    found = compare(Side(lock.Lock, "a"), Side(lock.NoGuard, "b"), rule_seconds=0, limits=Limits(max_depth=2))
    assert (found.verdict, found.exit_code) == ("broken", 1)


def test_ctrl_c_in_one_search_ends_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single search would report what it has; half of a comparison is none."""
    monkeypatch.setattr("checker.engines.interpreted.INTERVAL", 0)
    with pytest.raises(KeyboardInterrupt):
        compare(
            Side(Isis, "a"),
            Side(NothingToItself, "b"),
            engine="interpreter",
            rule_seconds=0,
            progress=lambda _: os.kill(os.getpid(), signal.SIGINT),
        )


def test_ctrl_c_in_z3_is_not_taken_for_the_end_of_the_time() -> None:
    """z3 has a handler of its own, and answers that it does not know: "not decided" would be said of what was never
    tried."""
    import z3

    class Interrupted:
        """A solver that Ctrl-C has ended."""

        def set(self, *_: object) -> None:
            """Options do not matter."""

        def check(self) -> Any:
            """As z3 answers then."""
            return z3.unknown

        def reason_unknown(self) -> str:
            """As z3 says then."""
            return INTERRUPTED

    with pytest.raises(KeyboardInterrupt):
        Clock.of(10).satisfiable(Interrupted())


@pytest.mark.parametrize(
    ("model", "base"),
    [
        ("two_views:StrictTailViews", "two_views:ToToViews"),
        *(
            pytest.param(*pair, marks=pytest.mark.thorough)
            for pair in [
                ("stale_discard:EachForItself", "optimistic_delivery"),
                ("vote_vectors:PhiVotesWinVotes", "vote_vectors"),
            ]
        ),
    ],
)
def test_an_edit_of_another_file_is_told_what_to_compare_it_with(
    model: str, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model it is made from; or, where its file adds something to models of others, the class to which the file
    adds the same."""
    assert run(["compare", model]) == 2
    message = capsys.readouterr().err
    assert f"`checker compare {base} {model}`" in message
    assert run(["compare", base, model, "--max-states", "5", "--rules", "0", "--steps", "0", "--events", "0"]) in (1, 4)

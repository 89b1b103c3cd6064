"""How the delivery rules compare in what can come out: the delivery sequences of the watchers at the end."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from checker.analysis.check import outcomes
from checker.backends.interpreter.explore import explore
from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.language.errors import UsageError
from checker.models.gl_toto import GLToTo
from checker.models.s_toto import SToTo
from checker.models.two_views import GToToViews, SToToViews, ToToViews, WaitForAllViews
from checker.models.vote_vectors import GToToVotes, SToToVotes, ToToVotes


@cache
def ends(cls: type[Any], **constants: Any) -> list[dict[str, Any]]:
    return outcomes(cls, constants)


@pytest.mark.parametrize(
    "workload, phi",
    [((1, 1, 1, 2), 2), ((1, 1, 1, 2), 3), pytest.param((1, 1, 1, 1, 1), 3, marks=pytest.mark.thorough)],
)
def test_g_toto_with_a_majority_threshold_ends_as_s_toto(workload: tuple[int, ...], phi: int) -> None:
    """The remark below the rules of Section 4."""
    assert ends(GToToViews, workload=workload, phi=phi) == ends(SToToViews, workload=workload, phi=phi)


def test_a_smaller_threshold_lets_more_orders_come_out() -> None:
    many = ends(GToToViews, workload=(1, 1, 1, 2), phi=1)
    few = ends(SToToViews, workload=(1, 1, 1, 2), phi=2)
    assert len(many) > len(few)


def test_a_threshold_of_all_but_one_is_waiting_for_all() -> None:
    constants = {"workload": (1, 1, 1, 2)}
    assert ends(SToToViews, **constants, phi=3) == ends(WaitForAllViews, **constants)


def test_two_watchers_see_what_the_whole_protocol_shows() -> None:
    """The orders two processors deliver in are the same with the network and without it."""
    watched = {tuple(map(tuple, list(o["delivered"].values())[:2])) for o in ends(SToToViews, workload=(1, 1, 2))}
    whole = {tuple(map(tuple, list(o["delivered"].values())[:2])) for o in ends(SToTo, workload=(1, 1, 2))}
    assert watched == whole


@pytest.mark.parametrize("phi", [3, 4, 5])
def test_a_threshold_of_n_or_n_minus_one_is_waiting_for_all_by_every_rule(phi: int) -> None:
    """Nobody delivers before everybody has voted; the last of these is refused."""
    constants = {"workload": (1, 1, 1, 2), "phi": phi}
    if phi > 4:
        with pytest.raises(UsageError, match="from 0 to 4"):
            ends(SToToViews, **constants)
        return
    expected = ends(WaitForAllViews, workload=(1, 1, 1, 2))
    assert ends(SToToViews, **constants) == ends(GToToViews, **constants) == ends(ToToViews, **constants) == expected


def test_the_generalized_rules_with_threshold_0_are_waiting_for_all() -> None:
    """Every candidate is a source, and no vote may be unseen."""
    assert ends(GToToViews, workload=(1, 1, 1, 2), phi=0) == ends(WaitForAllViews, workload=(1, 1, 1, 2))


@pytest.mark.parametrize(
    ("rules", "n", "phi", "least"),
    [
        (SToToVotes, 4, 2, 3),
        (SToToVotes, 4, 3, 4),
        (ToToVotes, 4, 2, 3),
        (GToToVotes, 4, 1, 3),
        (GToToVotes, 4, 2, 3),
        *(
            pytest.param(*at, marks=pytest.mark.thorough)
            for at in ((SToToVotes, 5, 3, 4), (SToToVotes, 5, 2, 3), (GToToVotes, 5, 1, 4), (GToToVotes, 5, 2, 3))
        ),
    ],
)
def test_how_many_processors_must_have_voted_before_something_is_early(
    rules: type[Any], n: int, phi: int, least: int
) -> None:
    """S-ToTo delivers after phi + 1: Section 4 says n/2 + 1, which for n even and phi > n/2, as Section 3 asks, is one
    too few. G-ToTo: the larger of phi + 1 and n - phi."""
    interpreter = Interpreter(define(rules, {"workload": (1,) * n, "phi": phi}, only=[]))
    model: Any = interpreter.model
    found = set()
    for state in explore(interpreter).order:
        model.set_raw_state(state)
        if model.fires(model.Process[0]):
            found.add(model.tail(model.Process[0]))
    assert min(found) == least == (max(phi + 1, n - phi) if rules is GToToVotes else phi + 1)


def test_one_copy_of_an_old_message_makes_gl_toto_tell_everything_that_waits_again() -> None:
    """The scan forgets with each activation what it has told; the log has room for that."""
    copied = ends(GLToTo, workload=(1, 1, 1), phi=0, duplicates=1)
    lengths = {len(log) for end in copied for log in end["delivered"].values()}
    assert max(lengths) == 6
    assert max(len(log) for end in ends(GLToTo, workload=(1, 1, 1), phi=0) for log in end["delivered"].values()) == 3

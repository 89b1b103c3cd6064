"""How the delivery rules compare in what can come out: the delivery sequences of the watchers at the end."""

from __future__ import annotations

from typing import Any

import pytest

from checker.check import outcomes
from models.s_toto import SToTo
from models.two_views import GToToViews, SToToViews, WaitForAllViews


def ends(cls: type[Any], **constants: Any) -> list[dict[str, Any]]:
    return outcomes(cls, constants)


@pytest.mark.parametrize("workload, phi", [((1, 1, 1, 2), 2), ((1, 1, 1, 2), 3), ((1, 1, 1, 1, 1), 3)])
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

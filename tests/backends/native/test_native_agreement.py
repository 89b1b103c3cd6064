"""The native kernel and the tree-walking evaluator agree, state by state, on random models."""

from __future__ import annotations

import random as randoms

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checker.backends.native import build
from tests.backends.agreement import compare
from tests.backends.native_models import ewd840, filled_sets, two_phase_commit, wide_members
from tests.backends.random_models import Builder


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_kernel_and_evaluator_agree_on_random_models(random: randoms.Random) -> None:
    """Same successors in the same order, same counters, same errors, same findings, same words for equal states."""
    compare(Builder(random.randrange).model(), 25)


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_optimising_function_by_function_changes_no_meaning(random: randoms.Random) -> None:
    """Random models compiled as if they were large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LARGE", 0)
        compare(Builder(random.randrange).model(), 25)


def test_kernel_and_evaluator_agree_on_maps_built_entry_by_entry() -> None:
    """A map comprehension over less than a word leaves no bits of its own behind."""
    assert compare(filled_sets(), 25) == 2


def test_kernel_and_evaluator_agree_on_members_beyond_the_bounds_of_a_set() -> None:
    """Below, at and above the least and the greatest."""
    assert compare(wide_members(), 25) == 12


def test_kernel_and_evaluator_agree_on_two_phase_commit() -> None:
    """Every state of three managers."""
    assert compare(two_phase_commit(3), 1000) == 288


def test_kernel_and_evaluator_agree_on_ewd840() -> None:
    """Every state of three nodes, all initial states in the same order."""
    assert compare(ewd840(3), 1000) == 302

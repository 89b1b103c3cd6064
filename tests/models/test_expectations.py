"""Every model and edit of this repository gives the verdict it states: `checker verify` verifies all of them, the tests
of each build those that `each_build` chooses, a thorough run (pytest -m thorough) the others."""

from checker.analysis.verify import select
from checker.pytest_plugin import model_tests
from tests.models.each_build import LONG, each_build

test_models = model_tests()
test_reference_models = model_tests("benchmarks/models/*.py")


def test_each_build_has_an_example_of_each_file() -> None:
    """One of a violation where the file states one; what takes long is none."""
    cases, _ = select([])
    chosen = each_build(cases)
    assert [c.file for c in chosen] == list(dict.fromkeys(c.file for c in cases))
    violated = {c.file for c in cases if c.expectation.violated}
    assert {c.file for c in chosen if c.expectation.violated} == violated and len(violated) > 30
    assert LONG.isdisjoint(c.label for c in chosen)


def test_what_the_tests_of_each_build_leave_out_checker_verify_verifies() -> None:
    """`checker verify` without names, as `.ci/run` calls it, leaves out no expectation but those that their models mark
    as thorough."""
    verified = [(c.label, c.expectation) for c in select([])[0]]
    left = [c.expectation for c in select([], thorough=True)[0] if (c.label, c.expectation) not in verified]
    assert len(verified) > 800 and all(expectation.thorough for expectation in left)
    assert all((c.label, c.expectation) in verified for c in each_build(select([], thorough=True)[0]))


def test_each_long_search_is_that_of_an_expectation() -> None:
    """What is renamed in a model is renamed in the list."""
    assert LONG <= {c.label for c in select([])[0]}

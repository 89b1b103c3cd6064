"""Every model and edit of this repository gives the verdict it states; in each build those that `each_build` chooses,
all in a thorough run (pytest -m thorough)."""

from checker.analysis.verify import select
from checker.pytest_plugin import model_tests
from tests.models.each_build import LONG, each_build

test_models = model_tests()
test_reference_models = model_tests("benchmarks/models/*.py")


def test_each_build_verifies_every_class_and_each_set_of_violations_that_it_states() -> None:
    """Nothing is stated by long searches alone; and each name of a long search is that of an expectation."""
    cases, _ = select([])
    assert {(c.cls, c.expectation.violated) for c in each_build(cases)} == {
        (c.cls, c.expectation.violated) for c in cases
    }
    assert LONG <= {c.label for c in cases}

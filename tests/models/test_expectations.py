"""Every model and edit of this repository gives the verdict it states; long ones only in a thorough run (pytest -m
thorough)."""

from checker.pytest_plugin import model_tests

test_models = model_tests()
test_reference_models = model_tests("benchmarks/models/*.py")

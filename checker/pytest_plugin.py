"""Expected verdicts as tests: bounded model checking in the tests of any repository.

    from checker.pytest_plugin import model_tests
    test_models = model_tests("models/*.py")

gives one test for each expectation of each model and edit found: `test_models[isis:DeliverAnyFinal workload=2,1]`,
named by the reference and the constants and not by a place in a list, so that the name stays the same.  A reference is
what the command line takes (a name, a file, a file and a class), or a pattern for files, relative to the directory of
pytest's configuration; without any, all models known by name are meant.  A model file that cannot be read is one test,
of its name, that fails with the reason; the others are collected.  Expectations marked thorough carry the mark
`thorough`, so `-m "not thorough"` leaves them out.  With `--checker-report DIR` the reports of unexpected violations
are written there.

pytest loads this module in every run; it imports nothing of the checker until there is a model to read.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from checker.report.directory import ReportDirectory
    from checker.results.verified import Case, Unread, Verified

_root = Path.cwd()
_report: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare --checker-report."""
    parser.getgroup("checker").addoption(
        "--checker-report", metavar="DIR", help="write reports of unexpected verdicts of models to DIR"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark, and record the root directory of the repository."""
    global _root
    _root = config.rootpath
    _report[:] = [config.getoption("--checker-report")] if config.getoption("--checker-report") else []
    config.addinivalue_line("markers", "thorough: takes long; left out of quick runs with -m 'not thorough'")


def model_tests(*references: str, engine: str = "native", threads: int = 1) -> Any:
    """A test function with one case for each expectation of the models, and one for each file that cannot be read.
    Raises pytest.UsageError if a reference names no model, or a model without an expectation.
    """
    from checker.analysis.verify import select_apart
    from checker.language.errors import UsageError

    try:
        cases, unread = select_apart(_named(references), _matching(references))
    except UsageError as error:
        raise pytest.UsageError(f"model_tests: {_inside(str(error))}") from None

    @pytest.mark.parametrize("case", [*map(_unread_parameter, unread), *map(_parameter, cases)])
    def test_expectation(case: Case | Unread) -> None:
        """The model can be read, and has the verdict that it states."""
        from checker.analysis.verify import verify_one
        from checker.results.verified import Unread

        if isinstance(case, Unread):
            pytest.fail(_inside(str(case.error)), pytrace=False)
        result = verify_one(case, engine=engine, threads=threads)
        if not result.met or result.hollow:
            pytest.fail(_inside(_explanation(result)), pytrace=False)

    return test_expectation


def _parameter(case: Case) -> Any:
    label = " ".join(filter(None, [case.label, case.mark]))
    return pytest.param(case, id=_inside(label), marks=[pytest.mark.thorough] if case.expectation.thorough else [])


def _unread_parameter(unread: Unread) -> Any:
    return pytest.param(unread, id=_inside(unread.reference))


def _inside(text: str) -> str:
    """A text with the files of the repository relative to its root: the same in every clone."""
    return text.replace(f"{_root}{os.sep}", "")


def _is_pattern(reference: str) -> bool:
    return any(sign in reference for sign in "*?[")


def _matching(references: tuple[str, ...]) -> list[Path]:
    """The files that match the references that are patterns; a file that defines no model is passed over."""
    result: list[Path] = []
    for reference in filter(_is_pattern, references):
        files = sorted(_root.glob(reference))
        files = [f for f in files if not f.name.startswith(("_", "test_")) and f.name != "conftest.py"]
        if not files:
            remedy = (
                "Patterns count from pytest's root directory: start pytest above, or put a pytest.ini where "
                "the pattern begins."
            )
            raise pytest.UsageError(f"model_tests: no file matches {reference} in {_root}. {remedy}")
        result += files
    return result


def _named(references: tuple[str, ...]) -> list[str]:
    """The other references, with files relative to pytest's root directory."""
    named = [reference for reference in references if not _is_pattern(reference)]
    files = [r.partition(":")[0].endswith(".py") and not Path(r.partition(":")[0]).is_absolute() for r in named]
    return [str(_root / reference) if file else reference for reference, file in zip(named, files)]


@cache
def _directory(path: str) -> ReportDirectory:
    """One directory for all tests: reports of the same property with other constants have separate folders."""
    from checker.cli.output import report_directory

    return report_directory(path)


def _explanation(result: Verified) -> str:
    """The expectation and what was found, the differences, and the unexpected counterexamples."""
    from checker.report.verified import claim_found
    from checker.results.verified import said_once

    vacuous = (f"met only vacuously: {finding.text}" for finding in result.hollow)
    lines = [
        f"{result.case.label}  {claim_found(result)}",
        *map(str, result.mismatches),
        *said_once(result.undecided),
        *vacuous,
    ]
    if result.report is None:
        return "\n".join(lines)
    from checker.report.commands import picture_command
    from checker.report.directory import trace_file
    from checker.report.text import text_report
    from checker.report.written import unwritten
    from checker.results.verdict import Verdict

    files: dict[str, list[Path]] = {}
    for directory in _report:
        files = _directory(directory).write(result.report, result.case.expectation.violated)
        lines += map(str, unwritten)
        unwritten.clear()
    for found in result.report.properties:
        if (
            found.trace is not None
            and found.verdict is Verdict.VIOLATED
            and found.name not in result.case.expectation.violated
        ):
            lines += ["", text_report(found.trace, trace_file(files.get(found.name, ())))]
            if not _report:
                command = picture_command(result.case.reference, result.case.expectation.at, found.kind, found.name)
                lines.append(f"picture: pytest --checker-report DIR, or {command}")
    lines += [f"wrote {paths[0].parent}" for paths in files.values()]
    return "\n".join(lines)

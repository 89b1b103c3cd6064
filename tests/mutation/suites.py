"""The tests that should notice: files of the suite that run inside one process, and cases of the enumeration of the
language.

Not here: tests that start other processes (a mutant exists in one process only), those of Spark, and those of models,
which take long.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.mutation.covered import Covering, Recording, read, text_of
from tests.mutation.forked import forked
from tests.mutation.mutants import ROOT

FILES = (
    "tests/frontend",
    "tests/ir",
    "tests/search",
    "tests/search/liveness/test_leads_to.py",
    "tests/backends/smt/test_smt_agreement.py",
    "tests/backends/smt/test_smt_constructs.py",
    "tests/backends/native/test_native_agreement.py",
    "tests/backends/interpreter/test_by_hand.py",
    "tests/backends/native/test_native_layout.py",
    "tests/backends/native/test_native_storage.py",
    "tests/backends/smt/test_smt_scalars.py",
    "tests/engines/test_symmetry.py",
    "tests/backends/native/test_dense_types.py",
    "tests/engines/test_errors_in_properties.py",
    "tests/backends/native/test_limits_of_compiled_code.py",
    "tests/analysis/prove/test_smt_proofs.py",
    "tests/language/test_constructs.py",
    "tests/language/test_declarations.py",
    "tests/language/test_refused_declarations.py",
    "tests/language/test_starts.py",
    "tests/language/test_wrong_protocols.py",
    "tests/trace",
    "tests/stored/test_cache.py",
    "tests/language/enumeration/test_enumeration.py",
    "tests/engines/test_growing_network.py",
    "tests/analysis/compare/test_rules.py",
    "tests/analysis/test_find.py",
    "tests/cli/test_check.py",
    "tests/language/test_random_symmetric.py",
    "tests/language/test_random_statements.py",
)
SLOW = 5.0
"""Seconds of the processor, recorded: a test that takes longer is left out."""
LONGEST = 400.0
OPTIONS = (
    "-q",
    "-x",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "-p",
    "checker.pytest_plugin",
    "--tb=no",
    "--no-header",
)


def test_files() -> list[Path]:
    """All files with tests that should notice."""
    found = [
        f
        for name in FILES
        for f in (sorted((ROOT / name).glob("test_*.py")) if (ROOT / name).is_dir() else [ROOT / name])
    ]
    return [f for f in found if f.exists()]


def recorded(cache: Path) -> list[Covering]:
    """What the tests of all files execute; recorded again for files whose own text has changed."""
    cache.mkdir(parents=True, exist_ok=True)
    return [c for file in test_files() for c in recorded_of(file, cache) if c.seconds <= SLOW]


def recorded_of(file: Path, cache: Path) -> list[Covering]:
    """What the tests of a file execute."""
    name = file.relative_to(ROOT).as_posix()
    kept = cache / f"{name.replace('/', '.')}.{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}.json"
    if not kept.exists():
        ended = forked(lambda place: _record(name, place), LONGEST)
        if ended.answer is None or ended.answer.startswith("failed"):
            print(f"{name}: not recorded: {ended.reason or ended.answer}", flush=True)
            return []
        kept.write_text(ended.answer)
        print(f"recorded {name}: {len(read(ended.answer))} tests, {ended.seconds:.0f} s", flush=True)
    return read(kept.read_text())


def _record(name: str, place: Path) -> str:
    recording = Recording()
    pytest.main([name, *(o for o in OPTIONS if o != "-x"), f"--basetemp={place / 'pytest'}"], plugins=[recording])
    return text_of(recording.found)


class Chosen:
    """A plugin of pytest: these tests in this order; counts what is run and keeps the first that fails."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {name: i for i, name in enumerate(names)}
        self.collected, self.failed = 0, ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the chosen ones, in their order."""
        items[:] = sorted((i for i in items if i.nodeid in self.names), key=lambda i: self.names[i.nodeid])
        self.collected = len(items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The first failure."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that cannot be imported."""
        if report.failed and not self.failed:
            self.failed = f"{report.nodeid} (collecting)"


def first_failure(names: list[str], place: Path) -> str:
    """Run these tests, their files in that place, which is made; the name of the first that fails, or nothing."""
    chosen = Chosen(names)
    files = list(dict.fromkeys(name.split("::")[0] for name in names))
    code = pytest.main([*files, *OPTIONS, f"--basetemp={place}"], plugins=[chosen])
    if chosen.failed:
        return chosen.failed
    if chosen.collected < len(names):
        return "tests that are gone"
    return "" if code == 0 else f"pytest ended with {int(code)}"

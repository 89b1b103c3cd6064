"""Of the tests that take long each build runs a part, which its commit decides; the other parts are thorough tests.

`dear.txt` lists functions whose cases take LEAST seconds or more each: a fifteenth of the tests and half of the time of
all.  A build runs one of PARTS cases, and the slice of the thorough tests (`turning.py`) goes on with the others.  A
cheap test is in every build, and so is every test that compares executions of a model (ALWAYS), whatever it takes.

This is for runs of all tests.  A run of a folder or a file has all its tests.  A new list is made from a log:

    .venv/bin/pytest -vv --durations=0 tests/*/ tests/test_*.py > log
    .venv/bin/python -m tests.dear log > tests/dear.txt

Where it stops: a list from another machine has other tests near the limit, and a test that becomes slow is in every
build until the next list.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.turning import ROOT, commit_of

LIST = Path(__file__).with_name("dear.txt")
LEAST = 0.3
"""Seconds of the mean case of a function that is listed."""
PARTS = 4
"""Builds that run all of them, one part each."""
ALWAYS = (
    "tests/backends/",
    "tests/ci/test_turning.py",
    "tests/engines/test_",
    "tests/frontend/",
    "tests/language/",
    "tests/search/liveness/test_",
    "tests/search/test_",
    "tests/test_",
    "tests/validation/",
)
"""What compares executions of a model with each other, or holds a rule of the whole program: never listed."""
BUT = (
    "tests/engines/test_killed_at_each_phase.py",
    "tests/engines/test_optimised_later.py",
    "tests/engines/test_reduced_resumed.py",
    "tests/engines/test_two_owners.py",
    "tests/frontend/test_large_models.py",
    "tests/search/liveness/test_by_shard.py",
    "tests/search/test_folders.py",
    "tests/search/test_peak_memory.py",
    "tests/search/test_simulation.py",
    "tests/test_api.py",
    "tests/test_pytest_helper.py",
)
"""Files among these that are about how a search is kept, resumed or started, or about time and memory."""
_TIMED = re.compile(r"(\d+\.\d+)s call +(tests/\S+?\.py::\w+)")


def listed() -> list[str]:
    """The functions of the list, the dearest first."""
    return LIST.read_text(encoding="utf-8").split()


def takes_turns(name: str) -> bool:
    """Whether a function may be listed."""
    return name.startswith(BUT) or not name.startswith(ALWAYS)


def is_whole(named: Iterable[str]) -> bool:
    """Whether a run of these places is one of all tests."""
    return any(ROOT / "tests" == place or ROOT == place for place in (Path(name).resolve() for name in named))


def part_of(folder: Path) -> int:
    """The number of the part that the commit has; a copy without a repository has the first."""
    try:
        return int(commit_of(folder), 16) % PARTS
    except (OSError, RuntimeError):
        return 0


def left_to_other_builds(items: Iterable[pytest.Item], part: int, names: Sequence[str]) -> None:
    """Mark the cases of other parts as thorough.  Functions that are neighbours in the list, and so are as long as each
    other, are in different parts, and so are the cases of one function that are not thorough anyway."""
    first = {name: place for place, name in enumerate(names)}
    count: dict[str, int] = defaultdict(int)
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in first and item.get_closest_marker("thorough") is None:
            if (first[name] + count[name]) % PARTS != part:
                item.add_marker("thorough")
            count[name] += 1


def dear(log: str) -> list[str]:
    """The functions to list, from what `--durations=0` printed."""
    times: dict[str, list[float]] = defaultdict(list)
    for seconds, name in _TIMED.findall(log):
        times[name].append(float(seconds))
    mean = {name: sum(times[name]) / len(times[name]) for name in times if takes_turns(name)}
    return sorted((n for n in mean if mean[n] >= LEAST), key=lambda n: (-mean[n], n))


if __name__ == "__main__":
    print(*dear(Path(sys.argv[1]).read_text(encoding="utf-8")), sep="\n")

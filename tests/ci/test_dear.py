"""Of the tests that take long a build of all tests runs a part, and all of them have their turn."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests import dear
from tests.ci.test_rows import Item
from tests.dear import BUT, PARTS, is_whole, left_to_other_builds, listed, part_of, takes_turns

ROOT = Path(__file__).resolve().parents[2]


def run(names: list[str], part: int, of: list[str], thorough: tuple[str, ...] = ()) -> list[str]:
    """What the build of a part runs of these tests, of which some functions are listed."""
    items: Any = [Item(nodeid=name, marks=["thorough"] if name in thorough else []) for name in names]
    left_to_other_builds(items, part, of)
    return [item.nodeid for item in items if not item.marks]


def test_every_test_is_in_one_of_the_parts_and_a_cheap_one_in_all() -> None:
    """Also each row of a table, whose rows are in different parts."""
    cases = [*(f"a.py::{name}" for name in "pqrst"), *(f"a.py::table[{n}]" for n in range(6))]
    functions = ["a.py::q", "a.py::table", "a.py::p", "a.py::s", "a.py::t"]
    ran = Counter(name for part in range(PARTS) for name in run(cases, part, functions))
    assert ran == {name: PARTS if name == "a.py::r" else 1 for name in cases}
    for part in range(PARTS):
        assert len([name for name in run(cases, part, functions) if "[" in name]) in (1, 2)


def test_a_row_that_is_thorough_anyway_takes_no_turn() -> None:
    """Otherwise a build could have no row of a table."""
    rows = [f"a.py::table[{n}]" for n in range(8)]
    ran = [run(rows, part, ["a.py::table"], thorough=tuple(rows[::2])) for part in range(PARTS)]
    assert sorted(ran) == [[row] for row in rows[1::2]]


def test_a_run_of_a_folder_has_all_its_tests() -> None:
    """What somebody asks for is not left to another build."""
    assert is_whole(["tests"]) and is_whole([str(ROOT)]) and is_whole(["tests/ci", f"{ROOT}/tests/"])
    assert not is_whole([]) and not is_whole(["tests/ci", "tests/cli/test_help.py::test_one[tests]"])


def test_the_part_is_that_of_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Repeating a commit repeats its part; a copy without a repository has the first."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert part_of(tmp_path) == 0
    monkeypatch.setattr(dear, "commit_of", lambda folder: "a6")
    assert part_of(tmp_path) == 0xA6 % PARTS


def test_a_function_that_is_listed_is_there() -> None:
    """One that is renamed would be in every build again, and nobody would notice; none is of those in every build."""
    functions = listed()
    assert all((ROOT / file).exists() for file in BUT)
    assert len(functions) == len(set(functions)) and all(map(takes_turns, functions))
    there: dict[str, set[str]] = {}
    for function in functions:
        file, _, name = function.partition("::")
        if file not in there:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            there[file] = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            there[file] |= {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets
                            if isinstance(target, ast.Name)}  # fmt: skip
        assert name in there[file], function


def test_the_list_is_made_from_durations() -> None:
    """By the mean of the cases, without preparations, the dearest first."""
    log = """
9.00s setup    tests/a.py::test_prepared
0.70s call     tests/a.py::test_table[x y-1]
0.10s call     tests/a.py::test_table[2]
2.00s call     tests/a.py::test_long
0.10s call     tests/a.py::test_short[9.00s call]
8.00s call     tests/language/test_all.py::test_one
"""
    assert dear.dear(log) == ["tests/a.py::test_long", "tests/a.py::test_table"]

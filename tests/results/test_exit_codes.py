"""Exit codes: one for each verdict, an order for several results, and the table of the README."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest

from checker.cli import entry
from checker.language.errors import Undecided, UsageError
from checker.results import exit_codes
from checker.results.exit_codes import FROM_WORST, worst
from checker.results.verdict import Compared, LookedFor, Verdict

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
CODES = {name: code for name, code in vars(exit_codes).items() if name.isupper() and isinstance(code, int)}


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        *zip(Verdict, [0, 1, 0, 1, 3, 4, 4], strict=True),
        *zip(Compared, [1, 4, 0, 0], strict=True),
        *zip(LookedFor, [0, 1, 4], strict=True),
    ],
)
def test_each_verdict_has_its_exit_code(verdict: Verdict | Compared | LookedFor, code: int) -> None:
    """Only what is known to be false gives 1, and what is not decided never gives 0."""
    assert verdict.exit_code == code


def test_codes_that_are_written_below_the_table_are_those_of_the_table() -> None:
    """Errors are below results, and the program's first module imports nothing: they cannot ask the table."""
    assert (UsageError.exit_code, Undecided.exit_code) == (exit_codes.USAGE, exit_codes.INCONCLUSIVE)
    assert re.findall(r"sys\.exit\((\d+)\)", Path(str(entry.__file__)).read_text(encoding="utf-8")) == [
        str(exit_codes.INTERRUPTED)
    ]


def test_the_worst_result_decides_in_any_order() -> None:
    """A failure of the program hides behind no verdict, a violation behind nothing that is open; none gives 0."""
    assert worst([]) == 0
    for place, code in enumerate(FROM_WORST):
        rest = FROM_WORST[place:]
        assert all(worst(order) == code for order in permutations(rest))


def test_the_readme_lists_every_exit_code_in_words_and_in_order() -> None:
    """Its table has a row for each code, and its sentence the order of the worst."""
    rows = dict(re.findall(r"^\| (\d+) \| (\w+)", README, re.MULTILINE))
    assert rows.keys() == {str(code) for code in CODES.values()}
    assert {rows[str(v.exit_code)] for v in Verdict} <= {str(v) for v in Verdict}
    assert f"from the worst {', '.join(map(str, FROM_WORST))}." in README

"""What a limit leaves open is said wherever a verdict is said, and never counts as met."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import Error, JUnitXml

from checker.analysis.check import check
from checker.analysis.verify import cases, verify_one
from checker.catalogue import find
from checker.pytest_plugin import _explanation
from checker.search.limits import Limits
from tests.cli.commands import Ran

Checker = Callable[..., Ran]
Write = Callable[[str, str], str]

UNBOUNDED = '''"""Requests without end."""

from checker.language import Distributed, Int, Map, Network, Process, Record, action, const, holds, invariant, on, quiescent, require, var, violates


class Unbounded(Distributed):
    """Whoever wants to asks, as often as it likes."""

    channels = const("fifo", "", ("fifo", "unordered"))
    Wire = Record(n=Int(0, 3))
    net = var(Network[Process, Wire])
    got = var(Map[Process, Int(0, 3)], 0)

    @action
    def ask(self, p: Process):
        self.net.send(p, self.Process[0], self.Wire(1))

    @on(net)
    def hear(self, p, q, n):
        self.got[p] = 2

    @invariant
    def small(self) -> bool:
        return all(self.got[p] < 2 for p in self.Process)

    @quiescent
    def never(self) -> bool:
        return all(self.got[p] < 0 for p in self.Process)

    expect = EXPECTED
'''  # noqa: E501


def unbounded(write: Write, expected: str) -> str:
    """The file of a model that ends nowhere."""
    return write("unbounded.py", UNBOUNDED.replace("EXPECTED", expected))


LIMIT = "never should hold, but is undecided: the search was stopped by the limit on states"
LEFT = f"{LIMIT} (--max-states 1000)"


def test_what_was_not_decided_is_not_met_in_any_form(checker: Checker, write: Write) -> None:
    """The violation is found, the other property must hold and is open: text, exit code and every file agree."""
    file = unbounded(write, 'violates("small")')
    ran = checker(
        "verify",
        file,
        "--max-states",
        "1000",
        "--json",
        "v.json",
        "--junit",
        "v.xml",
        "--sarif",
        "v.sarif",
        "--markdown",
        "v.md",
    )
    assert ran.code == 4
    assert (
        ran.out.splitlines()[0].startswith("UNDECIDED    unbounded.py  expected violates small, not decided")
        and f"    {LEFT}\n" in ran.out
    )
    grows = ran.out.splitlines()[2].strip()
    assert grows.startswith("net still grows after ") and "Is a guard missing in ask" in grows
    assert ran.out.splitlines()[3] == "1 expectation, 1 not decided"
    data = json.loads(Path("v.json").read_text(encoding="utf-8"))
    assert (data["met"], data["undecided"], data["exit_code"]) == (False, 1, 4)
    assert (data["results"][0]["met"], data["results"][0]["mismatches"], data["results"][0]["undecided"]) == (
        False,
        [],
        [LEFT, grows],
    )
    (suite,) = JUnitXml.fromfile("v.xml")
    assert {c.name: [(type(r), r.message) for r in c.result] for c in suite} == {
        "small": [],
        "never": [(Error, f"{LEFT}; {grows}")],
        "expectation": [],
    }
    assert [
        (r["level"], LEFT in r["message"]["text"])
        for r in json.loads(Path("v.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    ] == [("warning", True)]
    assert "| **undecided** |" in Path("v.md").read_text(encoding="utf-8") and LEFT in Path("v.md").read_text(
        encoding="utf-8"
    )


def test_what_is_contradicted_outweighs_what_is_open(checker: Checker, write: Write) -> None:
    """Exit code 1, and both are said; what is decided although a limit ended the search is met."""
    ran = checker("verify", unbounded(write, "holds()"), "--max-states", "1000")
    assert ran.code == 1 and "small should hold, but is violated in 2 steps" in ran.out and LEFT in ran.out
    assert ran.out.startswith("DIFFERS") and "1 expectation, 1 not met" in ran.out
    write("decided.py", UNBOUNDED.replace("EXPECTED", 'violates("small", steps=2, only=["small"])'))
    assert checker("verify", "decided.py", "--max-states", "1000").code == 0


@pytest.mark.parametrize(
    ("expected", "limit", "said"),
    [
        (
            'violates("never", only=["never"])',
            ("--max-depth", "4"),
            "never should be violated, but is undecided: the search was stopped by the limit on depth (--max-depth 4)",
        ),
        (
            'violates("small", only=["small"], distinct=10**6)',
            ("--max-states", "1000"),
            "distinct should be 1,000,000, but is undecided: 999 were counted when the search was stopped by the "
            "limit on states (--max-states 1000)",
        ),
        (
            "holds(only=[])",
            ("--max-memory", "1M"),
            "the check is undecided: the search was stopped by the limit on memory (--max-memory 1M)",
        ),
    ],
)
def test_each_thing_that_is_expected_can_be_left_open(
    checker: Checker, write: Write, expected: str, limit: tuple[str, str], said: str
) -> None:
    """A violation, a count, everything; the limit is named."""
    ran = checker("verify", unbounded(write, expected), *limit)
    assert ran.code == 4 and said in ran.out


def test_a_count_that_is_exceeded_is_contradicted(checker: Checker, write: Write) -> None:
    """More states than that were found before the limit: no longer search would change it."""
    ran = checker("verify", unbounded(write, 'violates("small", only=["small"], distinct=10)'), "--max-states", "1000")
    assert ran.code == 1 and "distinct should be 10, but is at least 999" in ran.out


def test_a_strict_verification_by_the_interpreter_can_be_left_open(
    checker: Checker, lock: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks at the states in a second search, which may meet a limit that the first did not."""
    from checker.analysis.vacuity import states

    monkeypatch.setattr(states, "_no_further", lambda first, limits: Limits(max_states=2))
    ran = checker("verify", f"{lock}:Lock", "--strict", "--engine", "interpreter")
    assert ran.code == 4 and "the search for them was stopped by the limit on states" in ran.out


def test_the_pytest_helper_fails_what_was_not_decided(write: Write, here: Path) -> None:
    """With the sentence that the command prints."""
    (case,) = cases(find(unbounded(write, 'violates("small")')))
    result = verify_one(case, limits=Limits(max_states=1000))
    assert not result.met and f"{LIMIT} (1,000)" in _explanation(result)


def test_a_check_says_what_ended_it_beside_a_violation(checker: Checker, write: Write) -> None:
    """In the last line and beside each property that is open, whatever ended the search."""
    file = unbounded(write, "None")
    ran = checker("check", file, "--all", "--max-states", "1000")
    assert (
        "  unknown    never  (quiescence)  the search was stopped by the limit on states (--max-states 1000)\n"
        in ran.out
    )
    assert ran.out.splitlines()[-1].startswith(
        "VIOLATED  small in 2 steps; stopped by the limit on states (--max-states 1000), "
    )
    assert ran.out.splitlines()[-1].endswith("states not expanded: never was not decided")
    ran = checker("check", file)
    assert "  unknown    never  (quiescence)  the search ended at the first violation\n" in ran.out
    assert ran.out.splitlines()[-1] == (
        "VIOLATED  small in 2 steps; the search ended at the first violation: never was not decided, --all "
        "decides the rest and finds errors in later steps"
    )


ERRORS = """from checker.language import Int, Model, action, var


class Errors(Model):
    n = var(Int(0, 1), 0)

    @action
    def first(self):
        assert self.n == 1, "one"

    @action
    def second(self):
        self.n += 2

    @action
    def third(self):
        self.n -= 1
        assert False, "never come to"
"""


def test_every_engine_lists_errors_of_one_level_alike(write: Write, here: Path) -> None:
    """Fewest steps first, then by line."""
    cls = find(write("errors.py", ERRORS)).cls
    found = [
        [(p.name, p.steps) for p in check(cls, "errors.py", engine=engine, stop_at_first=False).properties]
        for engine in ("native", "interpreter")
    ]
    assert found[0] == found[1] and [name.rpartition("line ")[2] for name, _ in found[0]] == ["9)", "13)", "17)"]

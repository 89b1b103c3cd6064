"""What a change no longer claims is never green: an expectation that says less, a property that is gone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TEXT = '''"""Counts."""
from checker.language import Int, Invariant, Model, action, const, holds, initial, invariant, require, var, violates

HIGHEST = 9


class Even(Invariant):
    def holds(self) -> bool:
        return self.n % 2 == 0


class Counter(Model):
    top = const(2, "the limit")
    start = const(0, "the first number")
    n = var(Int(0, HIGHEST), 0)

    @initial
    def from_there(self) -> None:
        self.n = self.start

    @action
    def up(self) -> None:
        require(self.n < self.top)
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3

    @invariant
    def positive(self) -> bool:
        return self.n >= 0

    expect = [holds(at={"top": 1}), holds(distinct=3), violates("small", at={"top": 4}, steps=3)]


class Careless(Counter):
    """EDIT: no limit."""

    properties = [Even]

    @action
    def up(self) -> None:
        require(self.n < 4)
        self.n += 1

    expect = [violates("small", "Even"), holds(at={"top": 1}, only=["positive"], thorough=True)]
'''
SMALL = "    @invariant\n    def small(self) -> bool:\n        return self.n < 3\n\n"
LAST = 'violates("small", at={"top": 4}, steps=3)'
HOLDS = "Counter (counting.py:{}): {}"


def git(*arguments: str) -> None:
    """In the working directory."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def changed(here: Path, checker: Any) -> Any:
    """What `verify --since` finds missing after replacements in the one file of a repository, and its exit code."""
    file = Path("counting.py")
    file.write_text(TEXT, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "start")

    def execute(*replacements: tuple[str, str], options: tuple[str, ...] = ()) -> tuple[list[str], int]:
        text = TEXT
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        file.write_text(text, encoding="utf-8")
        for name in [n for n in sys.modules if n.startswith(("model_counting", "counting"))]:
            del sys.modules[name]
        ran = checker("verify", "counting.py", "--since", "main", "--json", "o.json", *options)
        found = json.loads(Path("o.json").read_text(encoding="utf-8"))["removed"]
        told = [line for line in ran.out.splitlines() if line.startswith("expectation weakened: ")]
        assert bool(options) or [line.partition("): ")[2] for line in told] == [one["what"] for one in found], ran.err
        return [f"{one['name']}: {one['what']}" for one in found], ran.code

    return execute


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('holds(at={"top": 1}), holds(d', "holds(d", "Counter: holds with top=1 is no longer stated"),
        ('holds(at={"top": 1}), h', 'holds(at={"top": 0}), h', "Counter: holds with top=1 is no longer stated"),
        (
            'holds(at={"top": 1}), h',
            'holds(at={"top": 1}, only=["small"]), h',
            "Counter: positive was expected to hold, and is no longer checked with top=1",
        ),
        (
            'holds(at={"top": 1}), h',
            'holds(at={"top": 1}, thorough=True), h',
            "Counter: holds with top=1 is stated for thorough runs only",
        ),
        ("n < self.top)\n        self.n += 1", "n < 9)\n        self.n += 1", ""),
        (LAST, 'violates("small", at={"top": 4})', "Counter: the number of steps (3) is no longer stated with top=4"),
        ("holds(distinct=3)", "holds()", "Counter: the number of states (3) is no longer stated"),
        (LAST, 'violates("small", at={"top": 4}, steps=4)', ""),
        (f", {LAST}]", "]", "Counter: violates small with top=4 is no longer stated"),
        (f", {LAST}", ', holds(at={"top": 4})', ""),
        ('holds(at={"top": 1}), holds', 'holds(at={"top": 1}, only=["small"]), holds(at={"top": 1}), holds', ""),
        (
            '[violates("small", "Even"), ',
            '[violates("small", "Even", only=["small", "Even"]), ',
            "Careless: positive was expected to hold, and is no longer checked",
        ),
        (
            'only=["positive"]',
            'only=["small"]',
            "Careless: positive was expected to hold, and is no longer checked with top=1",
        ),
        (
            "start = const(0",
            "start = const(1",
            "Counter: holds with top=1 is no longer stated: the default of start was 0, and is 1 now",
        ),
        ("holds(distinct=3)", "holds(distinct=2)", ""),
        ("HIGHEST = 9", "HIGHEST = 8", ""),
    ],
)
def test_what_is_no_longer_expected_is_told(changed: Any, old: str, new: str, what: str) -> None:
    """Once for each loss; what says more or something else of the same is none."""
    found, code = changed((old, new))
    if what:
        assert what in found and code in (1, 3)
    else:
        assert found == [] and code in (0, 1)


def test_an_expected_verdict_that_is_turned_is_told(changed: Any) -> None:
    """The model breaks the property now, and says so of itself: that was green."""
    turned = "small was expected to hold, and is now expected to be violated with top=1"
    breaking = ("n < self.top)\n        self.n += 1\n\n    @invariant", "n < 9)\n        self.n += 1\n\n    @invariant")
    expected = ('[holds(at={"top": 1}), holds(distinct=3), ' + LAST, '[violates("small", at={"top": 1})')
    found, code = changed(breaking, expected)
    assert code == 3 and found[0] == f"Counter: {turned}"
    assert found[1:] == ["Counter: holds is no longer stated", "Counter: violates small with top=4 is no longer stated"]
    assert changed(breaking, expected, options=("--allow-removed",)) == ([], 0)


def test_the_comment_compares_with_the_constants_that_are_no_longer_stated(changed: Any) -> None:
    """What the expectation that is left does not show: with 3 the model breaks the property now."""
    three = ("holds(distinct=3), ", 'holds(at={"top": 0}), ')
    breaking = (
        "n < self.top)\n        self.n += 1\n\n    @invariant",
        "n <= self.top)\n        self.n += 1\n\n    @invariant",
    )
    found, code = changed(three, breaking, (f", {LAST}", ""), options=("--comment", "c.md"))
    assert code == 3 and "Counter: holds is no longer stated" in found
    comment = Path("c.md").read_text(encoding="utf-8")
    assert "**Against what it was:** `counting.py`: broken: small; steps: new." in comment, comment


def test_a_property_that_is_deleted_is_told(changed: Any, checker: Any) -> None:
    """Of each class with an expectation, in each file of results; --allow-removed accepts it."""
    without = (('violates("small", "Even")', 'violates("Even")'), (SMALL, ""), (f", {LAST}", ""))
    files = ("--comment", "c.md", "--junit", "j.xml", "--sarif", "s.sarif", "--lines", "l.txt")
    found, code = changed(*without, options=files)
    what = "small was expected to hold, and is no longer a property of the model"
    assert code == 3 and found == [
        f"Counter: {what}",
        "Counter: violates small with top=4 is no longer stated",
        "Careless: small was expected to be violated, and is no longer a property of the model",
    ]
    comment = Path("c.md").read_text(encoding="utf-8")
    assert "as stated; 3 weakened\n" in comment
    assert "Expectations weakened. Exit code 3, unless `--allow-removed` accepts that.\n\n- Counter (c" in comment
    line = next(
        n for n, text in enumerate(Path("counting.py").read_text().splitlines(), 1) if "    expect = [h" in text
    )
    first = f"counting.py:{line}: error: expectation: the expectation of Counter was weakened: {what}; --allow-removed"
    assert Path("l.txt").read_text(encoding="utf-8").startswith(first)
    assert 'errors="3"' in Path("j.xml").read_text(encoding="utf-8").splitlines()[1]
    assert len(json.loads(Path("s.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]) == 3
    ran = checker("verify", "counting.py", "--since", "main")
    assert "less is expected than before (--allow-removed accepts that):\n    Counter (counting.py:" in ran.out
    assert changed(*without, options=("--allow-removed",)) == ([], 0)


def test_a_property_that_is_deleted_in_a_base_is_told_of_its_edits(here: Path, checker: Any) -> None:
    """The edit stands in a file that did not change, and overrides the property without repeating the decorator."""
    over = "\n\n    def small(self) -> bool:\n        return self.n < 2\n\n    expect = holds(at={'top': 1})\n"
    Path("counting.py").write_text(TEXT, encoding="utf-8")
    text = f"from counting import Counter\nfrom checker.language import holds\n\n\nclass Low(Counter):{over}"
    Path("low.py").write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "start")
    removed = TEXT.replace(SMALL, "").replace(f", {LAST}", "").replace('violates("small", "Even")', 'violates("Even")')
    Path("counting.py").write_text(removed, encoding="utf-8")
    ran = checker("verify", "low.py", "--since", "main")
    assert ran.code == 3, ran.out + ran.err
    assert "Low (low.py:10): small was expected to hold, and is no longer a property of the model" in ran.out


def test_a_property_that_is_weakened_is_asked_as_it_was(changed: Any) -> None:
    """The former invariant is searched on the model of today; one that is only written otherwise is no loss."""
    broken = (("n < 3", "n < 8"), ("n < self.top", "n < self.top + 2"), (f", {LAST}", ""), ("distinct=3", "distinct=5"))
    found, code = changed(*broken, ('"small", "Even"', '"Even"'))
    what = "Counter: small was changed; as it was before, it is violated in 3 steps"
    assert code == 3 and {what, f"{what} with top=1"} <= set(found)
    assert changed(("n < 3", "n <= 2")) == ([], 0)
    assert changed(("self.n % 2 == 0", "0 == self.n % 2")) == ([], 0)


def test_a_property_that_cannot_be_asked_as_it_was_is_not_green(changed: Any) -> None:
    """The variable that the former one reads has another type and name."""
    other = (("n = var(Int(0, HIGHEST), 0)", "m = var(Map[Bool, Int(0, HIGHEST)], 0)"), ("self.n", "self.m[True]"))
    found, code = changed(*other, ("import Int", "import Bool, Int, Map"))
    what = "Counter: small was changed, and whether the model keeps it as it was before is not known: it does not fit "
    assert code == 3 and any(text.startswith(what) for text in found), found


def test_a_property_that_follows_from_the_types_now_is_told(changed: Any) -> None:
    """The model keeps it as it was, so that no search finds the difference."""
    pytest.importorskip("z3")
    found, code = changed(
        ("return self.n < 3", "return self.n < 3 or self.n >= 0"), (f", {LAST}", ""), ('"small", ', "")
    )
    assert code in (1, 3)
    assert "Counter: small was changed, and says nothing now: it follows from the types alone" in found, found


def test_an_assertion_that_is_removed_has_its_line(here: Path, checker: Any, changed: Any) -> None:
    """The line after the one that is gone: hosts show a note beside the lines of a change."""
    asserting = (
        "        require(self.n < self.top)\n",
        "        require(self.n < self.top)\n        assert self.n < 2\n",
    )
    Path("counting.py").write_text(TEXT.replace(*asserting), encoding="utf-8")
    git("commit", "-qam", "asserting")
    found, code = changed(("holds(distinct=3)", "holds(distinct=3)"))
    assert code == 3 and "Counter: assert self.n < 2 in up is no longer stated" in found
    ran = checker("verify", "counting.py:Counter", "--since", "main")
    line = next(
        n for n, text in enumerate(TEXT.splitlines(), 1) if text.startswith("        require(self.n < self.top")
    )
    assert f"expectation weakened: Counter (counting.py:{line + 1}): assert" in ran.out, ran.out


def test_a_renamed_property_or_class_is_no_loss(changed: Any) -> None:
    """Names that are replaced everywhere are the same claims."""
    assert changed(("small", "little"), ("top", "most"), ("Careless", "Reckless")) == ([], 0)


def test_what_nobody_can_read_is_named(changed: Any, checker: Any) -> None:
    """The former text is no model of today's language: a line says so, everything else is verified, and
    nothing that was not compared is green."""
    Path("counting.py").write_text(f"from checker.language import nothing_of_that_name\n{TEXT}", encoding="utf-8")
    git("commit", "-qam", "not readable")
    Path("counting.py").write_text(TEXT.replace("n < 3", "n <= 2"), encoding="utf-8")
    ran = checker("verify", "counting.py:Careless", "--since", "main")
    assert "what was expected before of counting.py:Careless is not known: counting.py at " in ran.out, ran.out
    assert ran.code == 3 and "it was changed, and what was expected before cannot be read" in ran.out
    assert checker("verify", "counting.py:Careless", "--since", "main", "--allow-removed").code == 0
    for name in [n for n in sys.modules if n.startswith(("model_counting", "counting"))]:
        del sys.modules[name]
    Path("counting.py").write_text(TEXT.replace(", thorough=True)", ")"), encoding="utf-8")
    ran = checker("verify", "counting.py:Careless", "--since", "main")
    assert ran.code == 3 and "): it was changed, and what was expected before cannot be read" in ran.out, ran.out


def test_a_weakened_expectation_has_its_line_and_its_former_text(changed: Any) -> None:
    """In a list of several lines SARIF points at the entry that differs; the comment shows the old and the new one."""
    start, many = TEXT.index('    expect = [holds(at={"top": 1})'), TEXT.index("class Careless")
    before = TEXT[start:many]
    lines = (
        '    expect = [\n        holds(at={"top": 1}),\n        holds(distinct=3),\n        ' + f"{LAST},\n    ]\n\n\n"
    )
    Path("counting.py").write_text(TEXT.replace(before, lines), encoding="utf-8")
    git("commit", "-qam", "one a line")
    weaker = lines.replace("holds(distinct=3)", "holds()")
    found, code = changed((before, weaker), options=("--sarif", "s.json", "--comment", "c.md"))
    assert code == 3 and len(found) == 1
    (result,) = json.loads(Path("s.json").read_text(encoding="utf-8"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    text = Path("counting.py").read_text(encoding="utf-8").splitlines()
    assert text[place["region"]["startLine"] - 1] == "        holds(),"
    assert "-        holds(distinct=3),\n+        holds(),\n" in Path("c.md").read_text(encoding="utf-8")

"""What a change does, from expectations that are verified: failures by the part that changed, the model against what it
was, in one comment; and no search of a model that nothing touches."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from checker.analysis import check as checking
from checker.analysis.changed_parts import changed_parts
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.language import Bool, Ids, Int, Model, Set, action, invariant, require, rule, var
from checker.report.compare.summary import summary
from checker.report.markdown import escape
from checker.report.review import ROOM, review_comment
from checker.results.review import Compared, Part, Review

COUNTER = '''"""Counts."""
from checker.language import Int, Model, action, holds, invariant, require, rule, var, violates


class {name}(Model):
    """Counts to two."""

    n = var(Int(0, 9), 0)

    @rule
    def limit(self):
        return 2

    @action
    def up(self):
        require(self.n < self.limit())
        self.n += 1

    @invariant
    def small(self) -> bool:
        """It stays small."""
        return self.n < 3

    expect = holds()


class Careless(%s):
    """EDIT: no limit."""

    @action
    def up(self):
        require(self.n < 9)
        self.n += 1

    expect = violates("small", steps=3)


class Far(%s):
    """EDIT: also down."""

    @action
    def down(self):
        require(self.n > 0)
        self.n -= 1

    expect = holds()
'''


def git(*arguments: str) -> None:
    """In the working directory."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def five(here: Any) -> list[str]:
    """A repository with five models in files of their own, each with two edits."""
    names = [f"Counter{n}" for n in range(5)]
    for name in names:
        text = COUNTER.replace("{name}", name).replace("%s", name)
        Path(f"{name.lower()}.py").write_text(text, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "models")
    return [f"{name.lower()}.py" for name in names]


def edit(file: str, before: str, after: str) -> None:
    """Change one text of a file."""
    text = Path(file).read_text(encoding="utf-8")
    assert text.count(before) == 1
    Path(file).write_text(text.replace(before, after), encoding="utf-8")


def test_only_what_a_change_touches_is_searched(five: list[str], checker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five models and one changed rule: the three expectations of its file are searched, the twelve others never, and
    the comparison searches the changed model alone, as it is and as it was."""
    searched: list[str] = []
    explore = checking.explore

    def counted(request: Any) -> Any:
        searched.append(Path(inspect.getsourcefile(request.definition.model) or "").name)
        return explore(request)

    monkeypatch.setattr(checking, "explore", counted)
    edit("counter3.py", "return 2", "return 4")
    assert checker("verify", *five, "--since", "main", "--jobs", "1").code == 1
    assert searched == ["counter3.py"] * 3
    assert checker("verify", *five, "--since", "main", "--comment", "c.md", "--jobs", "1").code == 1
    assert set(searched) == {"counter3.py"} and len(searched) == 3 + 3 + 2


def test_failures_are_grouped_by_the_rule_that_changed(five: list[str], checker: Any) -> None:
    """An edit that overrides the only method that calls it is still as stated."""
    edit("counter3.py", "return 2", "return 4")
    checker("verify", *five, "--since", "main", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    assert "### checker: 2 of 3 touched expectations not as stated" in text
    assert (
        "**rule limit of Counter3** (`counter3.py:11`) changed: 2 expectations fail, 1 as stated, of 3 models." in text
    )
    assert "\n\n```diff\n-        return 2\n+        return 4\n```\n\nFirst:\n" in text
    failed = "First:\n\n> `counter3.py`: small should hold, but is violated in 3 steps: It stays small. Not here: n = 3"
    assert failed in text
    assert "> small: It stays small" not in text
    assert "12 expectations untouched since `main`" in text
    assert "- **breaks** small" in text and "- **because** step 3 is up" in text and text.count("```mermaid") == 1
    assert "`checker check counter3.py --property small --out report`" in text
    assert "`counter3.py:Far`" in text.partition("<summary>1 more</summary>")[2]


def test_files_of_a_build_server_name_the_changed_rule(five: list[str], checker: Any) -> None:
    """Where the comment is not shown, the message of a failure has it; what passes has nothing."""
    edit("counter3.py", "return 2", "return 4")
    checker("verify", *five, "--since", "main", "--junit", "j.xml", "--lines", "l.txt", "--markdown", "m.md")
    for file, number in (("j.xml", 2), ("l.txt", 2), ("m.md", 2)):
        assert Path(file).read_text(encoding="utf-8").count("; rule limit of Counter3 changed (") == number
    assert all(line.startswith("counter3.py:12: ") for line in Path("l.txt").read_text(encoding="utf-8").splitlines())


def test_a_commit_is_abbreviated_in_the_comment(five: list[str], checker: Any) -> None:
    """Forty digits tell a reader no more than twelve; a branch has its name."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    edit("counter3.py", "return 2", "return 4")
    checker("verify", *five, "--since", commit, "--comment", "c.md")
    assert f"untouched since `{commit[:12]}`" in Path("c.md").read_text(encoding="utf-8")


def test_a_long_diff_is_cut_and_counted(five: list[str], checker: Any) -> None:
    """Twelve lines at most, as long as a line of source may be; the comment stays short."""
    edit(
        "counter3.py",
        "return 2",
        "\n".join(["a = 1", *(f"        a = a  # {'x' * 400}" for _ in range(30)), "        return 4"]),
    )
    checker("verify", *five, "--since", "main", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    block = text.partition("```diff\n")[2].partition("```")[0].splitlines()
    assert 2 < len(block) <= 13 and sum(map(len, block)) < 1_000 and len(text) < 10_000
    assert block[-1].strip() == f"... {33 - len(block) + 1} more lines"


def test_a_failure_has_the_meaning_of_its_property_and_what_else_is_not_as_stated(
    five: list[str], checker: Any
) -> None:
    """The docstring of the property that the shortest run violates; the other properties by name."""
    edit("counter3.py", "return 2", "return 4")
    text = Path("counter3.py").read_text(encoding="utf-8")
    other = "    @invariant\n    def even_smaller(self) -> bool:\n        return self.n < 4\n\n    expect = holds()\n"
    Path("counter3.py").write_text(text.replace("    expect = holds()\n", other, 1), encoding="utf-8")
    checker("verify", "counter3.py:Counter3", "--since", "main", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    assert text.partition("**Against")[0].count("It stays small.") == 1 and "and 1 more" not in text
    assert re.search(r"> `counter3.py`: small should hold, .*; even_smaller should hold", text.replace("\\", "")), text
    assert "checker compare --all shows the first of them" in text
    assert "The picture of small violated at step 3 of 3: `checker check counter3.py" in text


def test_a_change_that_breaks_nothing_says_what_is_different(five: list[str], checker: Any) -> None:
    """All expectations are as stated, and the comparison has the rule."""
    edit("counter1.py", "return 2", "return 1")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    assert "checker: all 3 touched expectations as stated" in text and "rule limit of Counter1" in text
    assert "**Against what it was:** `counter1.py`" in text and "- **changed** rule limit" in text


def test_a_model_that_cannot_be_read_is_told_with_its_source_and_remedy_apart(five: list[str], checker: Any) -> None:
    """The file once, then the line; the source as code; what is to be done on a line of its own."""
    edit("counter3.py", "    n = var(Int(0, 9), 0)", "    n = [var(Int(0, 9), 0)")
    edit("counter4.py", "import Int", "import Itn, Int")
    checker("verify", *five, "--since", "main", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    assert re.search(r"> `counter3.py`: line \d+: not valid Python: [^`\n]*<br>\n> `[^`\n]+`\n", text), text
    assert re.search(r"> `counter4.py`: line 2: [^`\n]*<br>\n> `from .*`<br>\n> Did you mean .*Int", text), text
    assert text.count("counter3.py") == 1


def test_the_step_of_one_side_alone_has_what_it_changes(five: list[str], checker: Any) -> None:
    """The value that it leads to here and that in the former model."""
    edit(
        "counter3.py",
        "        require(self.n < self.limit())\n        self.n += 1",
        "        require(self.n < 1)\n        self.n += 2",
    )
    assert checker("verify", "counter3.py:Counter3", "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    said = (
        "**a step that only the edit has reached at step 1 of 1**: CAUSE (not allowed before the edit): up; n: 0 → 2; "
    )
    assert f"{said}up sets n to 2 (counter3.py:17); " in text


def test_steps_that_were_not_compared_are_named(five: list[str], checker: Any) -> None:
    """Another type of a variable: of its states none is one of the former model, so that nothing is said of steps."""
    edit("counter3.py", "Int(0, 9)", "Int(0, 8)")
    edit("counter3.py", "self.n < 3", "self.n < 8")
    edit("counter3.py", "return 2", "return 4")
    assert checker("verify", "counter3.py:Counter3", "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    assert "no difference in verdicts; steps not compared: n has another type. States: 3 → 5." in text
    ran = checker("compare", "counter3.py", "--against", "main")
    assert "steps      not compared: n has another type" in ran.out
    assert ran.out.rstrip().endswith("(verdicts); steps not compared")


def test_a_class_whose_expectation_is_removed_is_compared_first(five: list[str], checker: Any) -> None:
    """With the constants that it stated; the edits that still state something are as stated and hide what it breaks.
    A class that is gone is named only."""
    text = Path("counter3.py").read_text(encoding="utf-8")
    text = text.replace("n = var(Int(0, 9), 0)", "top = const(2, 'the limit')\n    n = var(Int(0, 9), 0)")
    text = text.replace("return 2", "return self.top").replace("import Int", "import const, Int")
    at = text.replace("expect = holds()", "expect = holds(at={'top': 1})", 1)
    Path("counter3.py").write_text(at, encoding="utf-8")
    git("commit", "-qam", "constant")
    edit("counter3.py", "    expect = holds(at={'top': 1})\n", "")
    edit("counter3.py", "return self.top", "return self.top + 4")
    text = Path("counter3.py").read_text(encoding="utf-8")
    Path("counter3.py").write_text(text[: text.index("class Far")], encoding="utf-8")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    comment = Path("c.md").read_text(encoding="utf-8")
    assert "Expectations removed: Counter3 (counter3.py), Far (counter3.py)." in comment
    first = comment[comment.index("**Against what it was:**") :].splitlines()[0]
    assert "counter3.py" in first and "whose expectation was removed`: broken: small; steps: new." in first
    assert first.endswith("States: 2 → 6.")


def test_a_new_edit_is_compared_with_what_it_edits(five: list[str], checker: Any) -> None:
    """It was not there before."""
    text = "\n\nclass Quick(Counter2):\n    @rule\n    def limit(self):\n        return 1\n\n    expect = holds()\n"
    with Path("counter2.py").open("a", encoding="utf-8") as file:
        file.write(text)
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    line = Path("counter2.py").read_text(encoding="utf-8").splitlines().index("class Quick(Counter2):") + 1
    assert f"**new model Quick** (`counter2.py:{line}`) changed: 1 expectation of 1 model as stated" in text
    assert "**Against what it was:** `counter2.py:Quick`" in text and "not compared" not in text


def test_what_a_model_says_of_itself_is_no_change_of_the_model(five: list[str], checker: Any) -> None:
    """Then nothing is compared."""
    edit("counter4.py", 'violates("small", steps=3)', "holds()")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 1
    text = Path("c.md").read_text(encoding="utf-8")
    assert "**expectation of Careless**" in text and "Against what it was" not in text


def test_a_comment_without_a_change_is_refused(five: list[str], checker: Any) -> None:
    """So is an option that would have no effect."""
    for options, word in (
        (["--comment", "c.md"], "--since"),
        (["--since", "main", "--link", "x"], "--comment"),
        (["--all"], "--out"),
    ):
        found = checker("verify", *five, *options)
        assert found.code == 2 and f"Add {word}" in found.err


def test_the_comment_is_short_whatever_happened(five: list[str]) -> None:
    """Hundreds of failures of dozens of changes with long names: what is left out is counted."""
    from checker.analysis.verify import select
    from checker.results.review import Group, Review
    from checker.results.verified import Verified

    (case, *_), _ = select([five[0]])
    failed = Verified(case, None, ("what is wrong here is a long story: `*_|<>" * 40,))
    parts = [tuple(Part("rule", f"r{n}" * 60, "C" * 90, "f" * 150, k + 1) for k in range(9)) for n in range(30)]
    review = Review("main", tuple(Group(p, (failed,) * 20) for p in parts), (), 5, tuple("x" * 500 for _ in range(9)))
    text = review_comment(review, "https://host/" + "y" * 300)
    assert len(text) <= ROOM < 10_000
    left = re.search(r"(\d+) other changes, with which (\d+) fail", text)
    assert left is not None and int(left[2]) == int(left[1]) * 20 and text.count("changed: 20") == 30 - int(left[1])


def test_the_parts_of_a_file_that_changed_are_named() -> None:
    """Members of classes, what stands beside them, and what is gone; comments and docstrings are no part."""
    import types

    old = 'A = 1\nclass M:\n    """One."""\n    def f(self):\n        return 1\n    def g(self):\n        return 2\n'
    new = 'A = 2\nclass M:\n    """Two."""\n    def f(self):\n        return 3  # three\n    x = 1\n'
    module = types.ModuleType("m")
    found = changed_parts(old, new, frozenset({"M"}), module, "m.py")
    assert [(p.text, p.line) for p in found] == [
        ("declaration f of M", 4),
        ("new declaration x of M", 6),
        ("declaration g of M", 2),
        ("value A (1 → 2)", 1),
    ]
    assert [p.diff for p in found] == [("-        return 1", "+        return 3  # three"), (), (), ()]
    values = [
        changed_parts(
            f"class M:\n    n = {a}\nA, B = 1, 2\n", f"class M:\n    n = {b}\n", frozenset({"M"}), module, "m.py"
        )
        for a, b in (("const(2)", "const(3, 'the limit')"), ("1", "'" + 60 * "x" + "'"))
    ]
    assert [[p.text for p in parts] for parts in values] == [
        ["declaration n of M (const(2) → const(3, 'the limit'))", "value A, B = (1, 2)"],
        ["declaration n of M", "value A, B = (1, 2)"],
    ]
    assert changed_parts(old, old + "# c\n", frozenset({"M"}), types.ModuleType("m"), "m.py") == ()


def test_a_comparison_that_fails_is_a_note(five: list[str], checker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdicts are there, and so are they in the comment."""
    from checker.analysis import review as reviewing

    def failing(*_: Any, **__: Any) -> Any:
        raise RuntimeError("as no one foresaw")

    monkeypatch.setattr(reviewing, "compare", failing)
    edit("counter1.py", "return 2", "return 1")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    assert "all 3 touched expectations as stated" in text
    assert "not compared: RuntimeError: as no one foresaw." in text


def test_what_an_interruption_left_out_is_counted(five: list[str], checker: Any) -> None:
    """One of three was reached: the comment does not say that all are as stated."""
    from checker.analysis.review import review
    from checker.analysis.since import touched
    from checker.analysis.verify import select
    from checker.results.verified import Verified

    edit("counter3.py", "return 2", "return 1")
    change = touched(select(["counter3.py"])[0], "main")
    text = review_comment(review([Verified(change.cases[0], None, ())], change, "main"))
    headline = "### checker: 1 of 3 touched expectations as stated; interrupted, 2 not reached"
    assert text.splitlines()[1] == headline


def test_an_error_is_a_comment(five: list[str], checker: Any) -> None:
    """What is wrong, and where."""
    edit("counter3.py", "return 2", "return (2")
    for names, head in (
        (five, "1 model not read, its expectations are not known; no other expectation is touched"),
        (["counter3.py"], "not verified"),
    ):
        assert checker("verify", *names, "--since", "main", "--comment", "c.md", "--link", "https://host/1").code == 2
        text = Path("c.md").read_text(encoding="utf-8")
        assert f"### checker: {head}\n" in text and "counter3.py" in text and "(https://host/1)" in text


def test_every_failure_is_named_where_there_is_room(five: list[str]) -> None:
    """Twenty changes with one failure each: those that are not shown as changes are in the list below."""
    from checker.analysis.verify import select
    from checker.results.review import Group, Review
    from checker.results.verified import Verified

    cases = select(five)[0]
    failed = [Verified(cases[n % len(cases)], None, (f"wrong number {n:02}: " + "w" * 90,)) for n in range(20)]
    parts = [(Part("rule", f"r{n}" * 60, "C" * 90, "f" * 150, 1),) for n in range(20)]
    text = review_comment(Review("main", tuple(Group(p, (r,)) for p, r in zip(parts, failed)), (), 5))
    assert "other changes, with which" in text and len(text) <= ROOM
    assert [n for n in range(20) if text.count(f"wrong number {n:02}:") != 1] == []


class Words(Model):
    """Takes nine words, but no more than two at once."""

    Word = Ids("w", tuple(f"a_word_of_some_length_{n}" for n in range(12)))
    n = var(Int(0, 9), 0)
    seen = var(Set[Word])
    late = var(Bool, False)

    @action
    def up(self):
        require(self.few({w for w in self.Word if w.index < 9}))
        self.seen = {w for w in self.Word if w.index < 9}
        self.n = 3

    @action
    def delay(self):
        self.late = self.may_be_late()

    @rule
    def few(self, words: Set[Word]) -> bool:
        return len(words) < 3

    @rule
    def may_be_late(self) -> bool:
        return False

    @invariant
    def in_time(self) -> bool:
        return not self.late

    @invariant
    def small(self) -> bool:
        return self.n < 3


class More(Words):
    """EDIT: as many as there are."""

    @rule
    def few(self, words):
        return len(words) < 30


def test_because_is_whole_however_long_its_values_are() -> None:
    """A set of nine long names stands in it, and the comment is no longer than it may be."""
    found = compare(Side(Words, "words"), Side(More, "words:More"), rule_seconds=0)
    because = next(text for key, text, _ in summary(found) if key == "because")
    assert len(because) > 300
    change = Review("main", (), tuple(Compared(f"words{n}", found) for n in range(3)), 0)
    text = review_comment(change)
    assert escape(because) in text and len(text) <= ROOM and text.count("```mermaid") == 1


def test_a_run_whose_cause_has_a_line_is_drawn_before_a_shorter_one() -> None:
    """Such a run names what was changed."""
    found = compare(Side(Words, "words"), Side(More, "words:More"), rule_seconds=0)
    (broken,) = found.changed("broken")
    assert broken.trace is not None and broken.trace.steps[0].rule is not None
    (step,) = broken.trace.steps
    states = [broken.trace.states[0], *broken.trace.states]
    first = evolve(step, cause=False, rule=None, label="nobody knows why")
    longer = evolve(broken.trace, states=states, steps=[first, evolve(step, number=2, label="the guilty one")])
    plain = evolve(broken.trace, property="in_time", steps=[first])
    both = evolve(found, properties=(evolve(broken, name="in_time", trace=plain), evolve(broken, trace=longer)))
    text = review_comment(Review("main", (), (Compared("words", both),), 0))
    assert "small violated" in text and "the guilty one" in text and "in\\_time violated" not in text

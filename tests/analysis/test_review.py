"""What a change does, from expectations that are verified: failures by the part that changed, the model against what it
was, in one comment; and no search of a model that nothing touches."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from attrs import evolve

from checker.analysis import check as checking
from checker.analysis.changed_parts import changed_parts
from checker.analysis.compare.comparison import compare
from checker.analysis.compare.side import Side
from checker.analysis.verify import verify_one
from checker.language import Bool, Ids, Int, Model, Set, action, const, holds, invariant, require, rule, var
from checker.report.compare.summary import summary
from checker.report.markdown import escape
from checker.report.review import ROOM, review_comment
from checker.results.parts import Part
from checker.results.review import Compared, Group, Review
from checker.results.verified import Case

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
    assert "### checker: small violated; 2 of 3 touched expectations not as stated" in text
    assert "\n**rule limit of Counter3** (`counter3.py:12`) changed: 2 of 3 expectations of 3 models fail." in text
    assert "\n\n```diff\n-        return 2\n+        return 4\n```\n\nFirst:\n" in text
    failed = "First:\n\n> `counter3.py`: small should hold, but is violated in 3 steps: It stays small. Not here: n = 3"
    assert failed in text
    assert "> small: It stays small" not in text
    assert "12 expectations untouched since `main`" in text
    assert "- **breaks** small" in text and "- **because** step 3 is up" in text and text.count("```mermaid") == 1
    assert "n: 2 → 3" in text.partition("```mermaid")[2]
    assert "`checker compare counter3.py --against main --out report`" in text
    assert "`counter3.py:Far`" in text.partition("<summary>1 more</summary>")[2]


def test_files_of_a_build_server_name_the_changed_rule(five: list[str], checker: Any) -> None:
    """Where the comment is not shown, the message of a failure has it; what passes has nothing."""
    edit("counter3.py", "return 2", "return 4")
    files = ("--junit", "j.xml", "--lines", "l.txt", "--markdown", "m.md", "--sarif", "s.json")
    checker("verify", *five, "--since", "main", *files, "--out", "report")
    for file, number in (("j.xml", 2), ("l.txt", 2), ("m.md", 2)):
        assert Path(file).read_text(encoding="utf-8").count("; rule limit of Counter3 changed (") == number
    for file in ("l.txt", "j.xml", "m.md", "s.json"):
        text = Path(file).read_text(encoding="utf-8")
        for part in ("CAUSE in step 3, up: limit() is always 4 (counter3.py:12)", "before the edit it is always 2 ("):
            assert part in text, file
    assert "\npicture: checker verify counter3.py --since main --out report\n" in Path("j.xml").read_text(
        encoding="utf-8"
    )
    assert Path("report/counter3-small/trace.svg").read_text(encoding="utf-8").count("CAUSE")
    assert all(line.startswith("counter3.py:12: ") for line in Path("l.txt").read_text(encoding="utf-8").splitlines())


def test_a_commit_is_abbreviated_in_the_comment(five: list[str], checker: Any) -> None:
    """Forty digits tell a reader no more than twelve; a branch has its name."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    edit("counter3.py", "return 2", "return 4")
    checker("verify", *five, "--since", commit, "--comment", "c.md")
    assert f"untouched since `{commit[:12]}`" in Path("c.md").read_text(encoding="utf-8")


RENAMED = {"limit": "most", "self.n": "self.count", "n = var": "count = var", "small": "little", "def up": "def more"}


def rename(file: str) -> None:
    """Other names for a rule, a variable, a property and an action."""
    text = Path(file).read_text(encoding="utf-8")
    for before, after in RENAMED.items():
        text = text.replace(before, after)
    Path(file).write_text(text, encoding="utf-8")


def test_names_that_are_replaced_are_a_renaming_and_no_change(five: list[str], checker: Any) -> None:
    """One line, in the comment and in the terminal, and the same steps; an edit that overrides what is renamed
    follows."""
    rename("counter3.py")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    names = "variable n → count, rule limit → most, action up → more, invariant small → little"
    assert f"**renamed: {names}** (`counter3.py:8`): 3 expectations of 3 models as stated." in text
    assert "no difference: every step is the same. 3 states, as before." in text and "```" not in text
    assert f"- **renamed** {names}; nothing else: the same steps\n" in text and "**changed**" not in text
    ran = checker("compare", "counter3.py", "--against", "main")
    assert ran.code == 0 and f"  renamed    {names}; nothing else: the same steps\n" in ran.out
    assert "NO DIFFERENCE" in ran.out and "  changed " not in ran.out


def test_what_changes_beside_a_renaming_is_shown_with_the_new_names(five: list[str], checker: Any) -> None:
    """The former rule is compared under its new name, so that the step which breaks the property is found."""
    rename("counter3.py")
    edit("counter3.py", "return 2", "return 4")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 1
    text = Path("c.md").read_text(encoding="utf-8")
    names = "variable n → count, action up → more, rule limit → most, invariant small → little"
    assert f"**renamed: {names}** (" in text
    assert "; **rule most of Counter3** (`counter3.py:12`) changed: 2 of 3 expectations" in text
    assert "```diff\n-        return 2\n+        return 4\n```" in text and "nothing else" not in text
    assert "`counter3.py`: broken: little; steps: new." in text
    assert "- **because** step 3 is more (little, a shortest run of 3 steps)\n" in text
    assert "- **now** most() is always 4 (counter3.py:12)\n- **before** it is always 2 (counter3.py:12)\n" in text
    junit = checker("verify", "counter3.py:Counter3", "--since", "main", "--lines", "-").out
    assert junit.startswith("counter3.py:12: ") and "; rule most of Counter3 changed (counter3.py:12) [" in junit


def test_a_file_that_moved_is_compared_with_itself_at_its_old_place(five: list[str], checker: Any) -> None:
    """Moved by git, moved without it, and renamed together with its class and one number: what differs has its line."""
    git("mv", "counter3.py", "counting.py")
    Path("counter4.py").rename("four.py")
    ran = checker("verify", "counting.py", "four.py", "--since", "main", "--comment", "c.md")
    assert ran.code == 0 and "four.py:Far: moved: counter4.py → four.py\n" in ran.out, ran.err
    text = Path("c.md").read_text(encoding="utf-8")
    assert "**moved: counter3.py → counting.py; nothing else** (`counting.py:1`): 3 expectations of 3 models as" in text
    assert "- **renamed** file counter4.py → four.py; nothing else: the same steps\n" in text
    assert "new model" not in text and "broken" not in text and "```" not in text
    text = Path("counting.py").read_text(encoding="utf-8").replace("Counter3", "Meter").replace("return 2", "return 4")
    git("mv", "counting.py", "meter.py")
    Path("meter.py").write_text(text, encoding="utf-8")
    ran = checker("verify", "meter.py", "--since", "main", "--comment", "c.md", "--lines", "l.txt")
    assert ran.code == 1 and "removed" not in ran.out, ran.out
    text = Path("c.md").read_text(encoding="utf-8")
    assert "**renamed: class Counter3 → Meter** (" in text and "nothing else" not in text
    assert "**rule limit of Meter** (`meter.py:12`) changed; **moved: counter3.py → meter.py** (" in text
    assert "- **before** it is always 2 (counter3.py:12)\n" in text and "-        return 2\n+        return 4\n" in text
    assert Path("l.txt").read_text(encoding="utf-8").startswith("meter.py:12: error: small: ")


SHARED = """MOST, LEAST = 2, 0
STEP = 1


class Halves:
    def half(self, n):
        return n // 2

    def double(self, n):
        return 2 * n
"""
USERS = {
    "a.py": ("", "0", "self.n < 2"),
    "b.py": ("Halves, ", "STEP - 1", "self.n < 2"),
    "c.py": ("Halves, ", "0", "self.half(self.n) < 1"),
}
USER = """from checker.language import Int, Model, action, holds, require, var
from shared import LEAST, STEP, Halves


class {name}({bases}Model):
    n = var(Int(0, 9), {first})

    @action
    def up(self):
        require({guard})
        self.n += 1

    expect = holds()
"""


@pytest.mark.parametrize(
    ("before", "after", "told", "compared"),
    [("STEP = 1", "STEP = 2", "value STEP (1 → 2)", "b.py"), ("n // 2", "(n + 1) // 2", "class Halves", "c.py")],
)
def test_the_model_that_uses_what_changed_is_compared(
    here: Path, checker: Any, before: str, after: str, told: str, compared: str
) -> None:
    """Not the first by name, nor the one that inherits a helper and never calls it."""
    Path("shared.py").write_text(SHARED, encoding="utf-8")
    for file, (bases, first, guard) in USERS.items():
        text = USER.format(name=file[0].upper(), bases=bases, first=first, guard=guard)
        Path(file).write_text(text, encoding="utf-8")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "models")):
        git(*arguments)
    edit("shared.py", before, after)
    checker("verify", *USERS, "--since", "main", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    line = SHARED.splitlines().index(next(s for s in SHARED.splitlines() if before in s)) + 1
    assert f"**{told}** (`shared.py:{line}`) changed" in text and f"**Against what it was:** `{compared}`: " in text
    assert text.count("Against what it was") == 1 and "nothing is edited" not in text
    assert ("```diff\n-        return n // 2\n+" in text) == (compared == "c.py")


def test_an_action_that_is_never_enabled_any_more_is_news(five: list[str], checker: Any) -> None:
    """A model that can do nothing keeps every property; an edit of it repairs nothing."""
    edit("counter3.py", "require(self.n < self.limit())", "require(self.n < self.limit() - 2)")
    assert checker("verify", "counter3.py:Counter3", "--since", "main", "--comment", "c.md").code == 3
    text = Path("c.md").read_text(encoding="utf-8")
    assert (
        text.splitlines()[1] == "### checker: 1 touched expectation as stated; never enabled any more: up; 1 weakened"
    )
    assert "the change disables up: enabled in 2 states before, in none now" in text
    assert "`counter3.py`: never enabled any more: up; steps: gone. States: 3 → 1." in text
    edit("counter2.py", "require(self.n < 9)", "require(self.n < 0)")
    ran = checker("compare", "counter2.py:Careless", "--against", "main", "--here")
    last = "CHANGED  violated no more, as nothing can happen: small; never enabled any more: up; steps: gone"
    assert ran.out.splitlines()[-1].startswith(last)
    assert "after the edit this step is not enabled: n = 0 is not < 0 (counter2.py:" in ran.out


def test_what_is_removed_is_said_to_be_removed_at_its_old_place(five: list[str], checker: Any) -> None:
    """A rule that is written into its only call."""
    edit("counter3.py", "    @rule\n    def limit(self):\n        return 2\n\n", "")
    edit("counter3.py", "self.limit()", "2")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    gone = "**rule limit of Counter3** removed (was `counter3.py:11`)"
    assert f"**action up of Counter3** (`counter3.py:12`) changed; {gone}: 2 expectations" in text
    assert "- **changed** rule limit (removed)" in text


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
    second = "even_smaller should hold, but is violated in 4 steps: n = 4 is not < 4"
    both = rf"> `counter3.py`: small should hold, [^;]*Not here: n = 3[^;]*; {second}\n"
    assert re.search(both, text.replace("\\", "")), text
    assert "checker compare --all shows the first of them" in text
    assert "This picture and a page to step through: `checker compare counter3.py --against main --out" in text


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
    said = "**a step that only the edit has reached at step 1 of 1** (`counter3.py`): "
    said += "CAUSE (not allowed before the edit): up; n: 0 → 2; "
    assert f"{said}up sets n to 2 (counter3.py:17); " in text


def test_steps_that_were_not_compared_are_named(five: list[str], checker: Any) -> None:
    """Another type of a variable: of its states none is one of the former model, so that nothing is said of steps."""
    edit("counter3.py", "Int(0, 9)", "Int(0, 8)")
    assert checker("verify", "counter3.py:Counter3", "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    assert "no difference in verdicts; steps not compared: n has another type. 3 states, as before." in text
    ran = checker("compare", "counter3.py", "--against", "main")
    assert "steps      not compared: n has another type" in ran.out
    assert ran.out.rstrip().endswith("(verdicts); steps not compared")


def test_a_changed_property_is_named_with_its_diff_and_both_verdicts(five: list[str], checker: Any) -> None:
    """The property alone changed: what fails with it is broken, and no internal name stands in the comment."""
    held = "class Small(Invariant):\n    def holds(self) -> bool:\n        return self.n < 3\n"
    Path("limits.py").write_text(f"from checker.language import Invariant\n\n\n{held}", encoding="utf-8")
    edit(
        "counter3.py",
        "class Counter3(Model):",
        "from limits import Small\n\n\nclass Counter3(Model):\n    properties = [Small]",
    )
    git("add", "-A")
    git("commit", "-qm", "a property in a file of its own")
    edit("limits.py", "self.n < 3", "self.n < 2")
    files = ("--comment", "c.md", "--lines", "l.txt")
    assert checker("verify", "counter3.py:Counter3", "--since", "HEAD", *files).code == 1
    text = Path("c.md").read_text(encoding="utf-8")
    assert "**property Small** (`limits.py:6`) changed: 1 expectation fails." in text
    assert "```diff\n-        return self.n < 3\n+        return self.n < 2\n```" in text
    assert "`counter3.py`: broken: Small." in text and "nothing new" not in text and "_of_" not in text
    both = "the changed property on the model before: violated; the former one on the model now: holds"
    assert f"- **property** Small changed: held, is violated now ({both})" in text
    (line,) = Path("l.txt").read_text(encoding="utf-8").splitlines()
    assert line.startswith("limits.py:6: ") and line.endswith("property Small changed (limits.py:6) [counter3.py]")


def test_what_a_weakened_property_hides_is_broken(five: list[str], checker: Any) -> None:
    """All expectations are as stated; the former text of the invariant is violated, so the command is not green."""
    edit("counter3.py", "return 2", "return 4")
    edit("counter3.py", "self.n < 3", "self.n < 8")
    assert checker("verify", "counter3.py:Counter3", "--since", "main", "--comment", "c.md").code == 3
    text = Path("c.md").read_text(encoding="utf-8")
    assert "`counter3.py`: broken: former small; steps: new." in text
    assert "small changed: held, holds now (" in text and "- **because** step 3 is up" in text


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
    assert checker("verify", *five, "--since", "main", "--allow-removed", "--comment", "c.md").code == 0
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
    assert f"**new model Quick** (`counter2.py:{line}`): 1 expectation of 1 model as stated" in text
    assert "**Against what it was:** `counter2.py:Quick`" in text and "not compared" not in text


def test_no_line_says_that_nothing_breaks_where_an_expectation_fails(five: list[str], checker: Any) -> None:
    """The model before is not as stated either: what is violated by both is named."""
    edit("counter4.py", "return 2", "return 4")
    git("commit", "-qam", "wrong already")
    edit("counter4.py", "return 4", "return 3")
    assert checker("verify", "counter4.py:Counter4", "--since", "HEAD", "--comment", "c.md").code == 1
    text = Path("c.md").read_text(encoding="utf-8")
    assert "- **violated** before the change, too: small" in text and "nothing new" not in text


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
    assert left is not None and int(left[2]) == int(left[1]) * 20 and text.count(" 20 of 20 ") == 30 - int(left[1])


def test_the_parts_of_a_file_that_changed_are_named() -> None:
    """Members of classes, what stands beside them, and what is gone; comments and docstrings are no part."""
    import types

    old = 'A = 1\nclass M:\n    """One."""\n    def f(self):\n        return 1\n    def g(self):\n        return 2\n'
    new = 'A = 2\nclass M:\n    """Two."""\n    def f(self):\n        return 3  # three\n    x = 1\n'
    module = types.ModuleType("m")
    found = changed_parts(old, new, frozenset({"M"}), module, "m.py")
    assert [(p.text, p.line) for p in found] == [
        ("method f of M", 4),
        ("new declaration x of M", 6),
        ("method g of M", 2),
        ("value A (1 → 2)", 1),
    ]
    assert [(p.told, p.gone) for p in found[1:3]] == [
        ("new declaration x of M (m.py:6)", 0),
        ("method g of M removed (was m.py:6)", 6),
    ]
    assert [p.diff for p in found] == [("-        return 1", "+        return 3  # three"), (), (), ()]
    values = [
        changed_parts(
            f"class M:\n    n = {a}\nA, B = 1, 2\n", f"class M:\n    n = {b}\n", frozenset({"M"}), module, "m.py"
        )
        for a, b in (("const(2)", "const(3, 'the limit')"), ("1", "'" + 60 * "x" + "'"))
    ]
    assert [[p.text for p in parts] for parts in values] == [
        ["constant n of M (const(2) → const(3, 'the limit'))", "value A, B = (1, 2)"],
        ["declaration n of M", "value A, B = (1, 2)"],
    ]
    assert changed_parts(old, old + "# c\n", frozenset({"M"}), types.ModuleType("m"), "m.py") == ()


def test_a_comparison_that_fails_is_a_note(five: list[str], checker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdicts are there, and so are they in the comment."""
    from checker.analysis import review as reviewing

    def failing(*_: Any, **__: Any) -> Any:
        raise RuntimeError("as no one foresaw")

    monkeypatch.setattr(reviewing, "compare_family", failing)
    edit("counter1.py", "return 2", "return 1")
    assert checker("verify", *five, "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    assert "all 3 touched expectations as stated" in text
    assert "not compared: RuntimeError: as no one foresaw." in text


def test_what_an_interruption_left_out_is_counted(five: list[str], checker: Any) -> None:
    """One of three was reached: the comment does not say that all are as stated."""
    from checker.analysis.review import review
    from checker.analysis.since import Change, touched
    from checker.analysis.verify import select
    from checker.results.verified import Verified

    edit("counter3.py", "return 2", "return 1")
    change = touched(select(["counter3.py"])[0], Change.since("main"))
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
    because = next(text for key, text, _ in summary(found) if key == "now")
    assert len(because) > 200
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


class Ahead(Model):
    """Begins further ahead, and then breaks the property sooner."""

    start = const(0)
    n = var(Int(0, 9), start)

    @action
    def up(self):
        self.n += 1

    @invariant
    def small(self) -> bool:
        return self.n < 3


def test_the_picture_is_of_the_failure_that_is_told() -> None:
    """Also where another one is shorter; its constants stand beside it."""
    cases = [Case("ahead", Ahead, Path(__file__), holds(at={"start": start})) for start in (0, 2)]
    far, soon = (verify_one(case) for case in cases)
    for first, other in (far, soon), (soon, far):
        group = Group((Part("action", "up", "Ahead", "ahead.py", 3),), (first, other))
        told, _, picture = review_comment(Review("main", (group,), (), 0)).partition("```mermaid")
        assert f"**small violated at step {first.report.properties[0].steps} of" in told  # type: ignore[union-attr]
        assert f"> `{first.case.label}`: small should hold" in told and f"(`{first.case.label}`)" in told
        assert f"checker check {first.case.reference} -D start={first.case.expectation.at['start']}" in picture


def test_an_interruption_before_the_first_result_leaves_a_comment(
    five: list[str], checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What changed, and that nothing is known; nothing is compared, for the command may be killed soon."""

    def stopped(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt
        yield

    def compared(*_: Any, **__: Any) -> Any:
        raise AssertionError("nothing is compared")

    edit("counter3.py", "return 2", "return 4")
    monkeypatch.setattr("checker.cli.verify.verify_all", stopped)
    monkeypatch.setattr("checker.analysis.review.compare", compared)
    ran = checker("verify", *five, "--since", "main", "--comment", "c.md", "--junit", "j.xml")
    assert ran.code == 4 and "interrupted: 3 expectations not reached" in ran.out and "no expectation" not in ran.out
    text = Path("c.md").read_text(encoding="utf-8")
    assert text.splitlines()[1] == "### checker: 0 of 3 touched expectations as stated; interrupted, 3 not reached"
    assert "Against what it was" not in text
    assert Path("j.xml").read_text(encoding="utf-8").count("not reached: the command was interrupted before") >= 3


def test_what_an_interruption_left_out_is_named_whatever_is_first(
    five: list[str], checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several processes end in any order: the last expectation has a result, and it is not called unreached."""

    def last_alone(cases: Any, **how: Any) -> Any:
        yield from (verify_one(case, traces=False) for case in cases[-1:])
        raise KeyboardInterrupt

    edit("counter3.py", "return 2", "return 4")
    monkeypatch.setattr("checker.cli.verify.verify_all", last_alone)
    files = ("--comment", "c.md", "--junit", "j.xml", "--lines", "l.txt")
    ran = checker("verify", *five, "--since", "main", *files)
    result = next(line for line in ran.out.splitlines() if line.startswith(("as expected", "DIFFERS")))
    unreached = [n for n in ("counter3.py", "counter3.py:Careless", "counter3.py:Far") if f"  {n}  " not in result]
    assert len(unreached) == 2
    lines = Path("l.txt").read_text(encoding="utf-8").splitlines()
    assert sum("not reached" in line for line in lines) == 2
    comment = Path("c.md").read_text(encoding="utf-8")
    assert f"Not reached: {', '.join(sorted(unreached))}." in comment, comment
    suites = ElementTree.parse("j.xml").getroot().findall("testsuite")
    found = {s.get("name"): [e.get("message") for e in s.iter("error")] for s in suites}
    assert {name for name, texts in found.items() if any("not reached" in str(t) for t in texts)} == set(unreached)


def test_an_interruption_of_what_explains_a_result_keeps_the_result(
    five: list[str], checker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict was known before its CAUSE is looked for."""

    def stopped(*_: Any) -> Any:
        raise KeyboardInterrupt

    edit("counter3.py", "return 2", "return 4")
    monkeypatch.setattr("checker.analysis.former_cause.FormerCauses.marked", stopped)
    ran = checker("verify", *five, "--since", "main", "--jobs", "1")
    assert ran.code == 1 and "small should hold, but is violated" in ran.out
    assert "interrupted: 2 expectations not reached" in ran.out


def test_a_text_that_is_too_long_ends_with_a_word() -> None:
    """A word that is too long itself is cut."""
    from checker.report.cut import LONG_WORD, cut

    text = "the lines of a rule that differ from those before"
    for most in range(12, len(text)):
        short = cut(text, most)
        assert short.endswith(" ...") and len(short) <= most and text.startswith(f"{short.removesuffix(' ...')} ")
    assert cut(text, len(text)) == text
    assert cut("x " + "y" * 3 * LONG_WORD, 2 * LONG_WORD) == "x " + "y" * (2 * LONG_WORD - 6) + " ..."


def test_what_a_limit_leaves_open_is_not_decided_and_no_failure(five: list[str], checker: Any) -> None:
    """In the headline and at the part that changed."""
    edit(five[0], "self.n < 3", "self.n < 2 + 1")
    ran = checker("verify", *five, "--since", "HEAD", "--max-states", "2", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    assert ran.code == 4 and "not as stated" not in text and "fail" not in text.split("\n\n")[2]
    assert text.splitlines()[1] == "### checker: 3 of 3 touched expectations not decided"


def test_what_is_met_only_vacuously_is_as_little_as_stated_as_what_differs(five: list[str], checker: Any) -> None:
    """It is decided: --strict counts it, and nothing says that a limit left it open."""
    edit(five[0], "return self.n < 3", "return all(n < 3 for n in range(4) if n == self.n + 5)")
    ran = checker("verify", *five, "--since", "HEAD", "--strict", "--allow-removed", "--comment", "c.md")
    text = Path("c.md").read_text(encoding="utf-8")
    assert ran.code in (1, 3) and "vacuously" in ran.out
    assert "not as stated" in text.splitlines()[1] and "not decided" not in text


TALL = '''"""Counts."""
from checker.language import Bool, Int, Model, action, const, holds, invariant, require, var


class Tall(Model):
    """Counts to the top, and notes that it is high."""

    top = const(1, "the highest number")
    n = var(Int(0, 9), 0)
    noted = var(Bool)

    @action
    def up(self):
        require(self.n < self.top)
        self.n += 1
        if self.n > 3:
            self.noted = True

    @invariant
    def small(self) -> bool:
        return self.n < 9

    outcome = ("noted",)
    expect = [holds(), holds(at={"top": 5})]
'''


def test_where_nothing_fails_each_stated_configuration_is_compared(here: Path, checker: Any) -> None:
    """A statement that is executed in one configuration alone is dropped: all expectations are met, and the comment
    begins with the outcomes that differ there.
    """
    Path("tall.py").write_text(TALL, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "model")
    edit("tall.py", "        if self.n > 3:\n            self.noted = True\n", "")
    assert checker("verify", "tall.py", "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    assert "### checker: all 2 touched expectations as stated; outcomes: 1 new, 1 gone\n" in text
    assert "**Against what it was:** `tall.py top=5`: outcomes: 1 new, 1 gone" in text
    assert "- **same at** the defaults" in text


QUORUM = '''"""A vote."""
from checker.language import Distributed, Map, Process, action, const, holds, invariant, require, rule, var


class Vote(Distributed):
    """Each votes once."""

    processes = const(3)
    voted = var(Map[Process, bool])

    @action
    def vote(self, p: Process):
        require(not self.voted[p])
        self.voted[p] = True

    @rule
    def enough(self) -> bool:
        return 2 * len([p for p in self.Process if self.voted[p]]) > self.processes

    @invariant
    def right(self) -> bool:
        return not self.enough() or self.voted[self.Process[0]] or self.voted[self.Process[1]]

    expect = holds()
'''


def test_a_rule_that_is_another_one_with_more_processes_only_is_told(here: Path, checker: Any) -> None:
    """Half of three is no majority, half of four would be one: what was verified does not show that."""
    Path("vote.py").write_text(QUORUM, encoding="utf-8")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "model")
    edit("vote.py", "> self.processes", ">= self.processes")
    assert checker("verify", "vote.py", "--since", "main", "--comment", "c.md").code == 0
    text = Path("c.md").read_text(encoding="utf-8")
    told = "nothing differs, but rule enough is weaker with processes=4, which is not verified"
    assert f"### checker: 1 touched expectation as stated; {told}\n" in text
    assert "`vote.py`: no difference: every step is the same. 8 states, as before." in text
    assert "- **beyond** rule enough: weaker with processes=4 over all states of its types" in text

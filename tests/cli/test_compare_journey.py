"""What a designer meets who edits one rule of a protocol and asks what changed: scripted, in a repository of the
designer's own, where the edits stand in other files than their bases."""

from __future__ import annotations

import html
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ
from typing import Any

import pytest

from checker.cli.output import Output
from checker.cli.program import run
from checker.language.errors import UsageError

CAST = '''
"""The votes of three: a value is decided by more than phi votes."""

from checker.language import Int, Map, Process, Set, action, const, holds, invariant, require, rule, var
from checker.language.distributed import Distributed


class Votes(Distributed):
    """Everybody votes once, and decides when enough have voted."""

    phi = const(1, "votes that do not suffice")
    voted = var(Set[Process])
    decided = var(Set[Process])
    outcome = ("decided",)

    @action
    def vote(self, p: Process):
        require(p not in self.voted)
        self.voted.add(p)

    @action
    def decide(self, p: Process):
        require(self.enough(p) and p not in self.decided)
        self.decided.add(p)

    @rule
    def enough(self, p: Process) -> bool:
        return len(self.voted) > self.phi

    @invariant
    def a_majority_has_voted(self) -> bool:
        return len(self.decided) == 0 or 2 * len(self.voted) > len(self.Process)

    expect = [holds(at={"processes": 2}), holds(at={"processes": 3}), holds(at={"processes": 4, "phi": 2})]
'''
EDIT = '''
from votes import Votes
from checker.language import rule


class Hasty(Votes):
    """EDIT: one vote fewer, if there is a third process."""

    @rule
    def enough(self, p):
        return len(self.voted) > self.phi - (1 if len(self.Process) > 2 else 0)
'''
S_TOTO = '''
from checker.language import rule
from checker.models.s_toto import SToTo


class Optimist(SToTo):
    """EDIT: one unseen vote is ignored."""

    @rule
    def may_win(self, p, a, b):
        return self.votes(p, a, b) + self.unseen(p) - 1 > self.phi
'''
SEQUENCER = '''
from checker.language import rule
from checker.models.sequencer import Sequencer


class Hasty(Sequencer):
    """EDIT: a number is enough, whether or not the message is there."""

    @rule
    def deliverable(self, p, m):
        number = self.order[p][m]
        return number is not None and self.due(p, number)
'''
MISSPELT = '''
from checker.language import rule
from checker.models.sequencer import Sequencer


class Misspelt(Sequencer):
    """EDIT: of nothing."""

    @rule
    def deliverabel(self, p, m):
        return True
'''
COUNT = '''
from checker.language import Int, Model, action, invariant, require, var


class Count(Model):
    """Counts to fifty."""

    n = var(Int(0, 50), 0)

    @action
    def up(self):
        require(self.n < 50)
        self.n = self.n + 1

    @invariant
    def small(self) -> bool:
        return self.n < 40
'''
FEW = '''
from count import Count
from checker.language import Int, action, require, var


class Few(Count):
    """EDIT: counts to ten, and has one more variable, so that steps cannot be compared."""

    more = var(Int(0, 1), 0)

    @action
    def up(self):
        require(self.n < 10)
        self.n = self.n + 1
        self.more = 1
'''
BRIEFLY = ("--rules", "0", "--delays", "0")


@pytest.fixture
def repository(here: Path) -> Path:
    """A folder with the protocol and its edit in two files."""
    (here / "votes.py").write_text(CAST)
    (here / "edit.py").write_text(EDIT)
    return here


def on_a_terminal(*arguments: str) -> tuple[list[str], str]:
    """What a command prints on a terminal of 80 columns and 24 lines, without colours; and all that came."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm"
        os.execv(sys.executable, [sys.executable, "-m", "checker", *arguments])
    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    came = b""
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not data:
            break
        came += data
    os.waitpid(process, 0)
    text = came.decode()
    stays = re.sub(r"\x1b\[\?25l.*?\x1b\[\?25h", "", text, flags=re.DOTALL)  # what was said of progress is removed
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stays)
    return [line.rstrip() for line in shown.splitlines() if line.strip()], text


def test_a_break_in_another_configuration_than_the_smallest_is_found_and_shown(repository: Path, checker: Any) -> None:
    """With two processes nothing differs; the base's own expectation names three, where the edit breaks its
    invariant."""
    found = checker("compare", "edit.py", *BRIEFLY, "--json", "c.json", "--markdown", "c.md")
    assert found.code == 1
    text = found.out
    assert text.startswith("votes.py against edit.py")
    assert "breaks     a_majority_has_voted" in text and "enough(p1) is true (edit.py:" in text
    assert "at         processes=3: breaks a_majority_has_voted in 2 steps" in text
    assert "same at    processes=2" in text
    assert text.splitlines()[-1].startswith("BROKEN  breaks a_majority_has_voted in 2 steps")
    data = json.loads(Path("c.json").read_text())
    verdicts = {tuple(c["given"].items()): c["verdict"] for c in data["configurations"]}
    assert verdicts[("processes", 2),] == "same" and verdicts[("processes", 3),] == "broken"
    assert data["verdict"] == "broken" and data["constants"]["processes"] == 3
    markdown = Path("c.md").read_text()
    assert len(markdown) < 10_000 and "processes=3" in markdown


def test_check_marks_the_cause_where_the_base_stands_in_another_file(repository: Path, checker: Any) -> None:
    """The base is the class that the edit derives from."""
    text = checker("check", "edit.py", "-D", "processes=3").out
    assert "CAUSE: not allowed before the edit" in text
    assert "before the edit it is false (votes.py:" in text


def test_one_configuration_is_asked_for_by_its_constants_or_by_here(repository: Path, checker: Any) -> None:
    """Then nothing is said of others."""
    one = checker("compare", "edit.py", *BRIEFLY, "-D", "processes=2")
    assert one.code == 0 and one.out.splitlines()[-1].startswith("NO DIFFERENCE  in 1 configuration (verdicts")
    several = checker("compare", "edit.py", *BRIEFLY, "-D", "processes=2..3")
    assert several.code == 1 and "same at    processes=2" in several.out
    here = checker("compare", "edit.py", *BRIEFLY, "--here", "--json", "c.json")
    assert here.code in (0, 1)
    assert [c["given"] for c in json.loads(Path("c.json").read_text())["configurations"]] == [{}]


def test_the_base_may_be_a_revision_or_a_model_that_is_named(repository: Path, checker: Any) -> None:
    """The edit of today against the base as it was, and against a model of any file."""
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    for arguments in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "one")):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    (repository / "votes.py").write_text(CAST.replace("return len(self.voted) > self.phi", "return True"))
    against = checker("compare", "votes.py", "--against", "HEAD", *BRIEFLY)
    assert against.code == 1 and "votes.py at HEAD against votes.py" in against.out
    both = checker("compare", "votes.py", "edit.py", "--against", "HEAD", *BRIEFLY)
    assert both.code == 1 and "votes.py at HEAD against edit.py" in both.out and "unrelated" not in both.out
    named = checker("compare", "edit.py", "--against", "votes.py", *BRIEFLY, "-D", "processes=2")
    assert named.out.startswith("votes.py against edit.py")


def test_what_was_not_looked_at_is_named_and_nothing_is_claimed_of_it(repository: Path, checker: Any) -> None:
    """Without time for more than the first, the others are named; asked for one by one, they leave the question
    open."""
    stated = checker("compare", "edit.py", *BRIEFLY, "--within", "0")
    assert stated.code == 0
    assert "not looked at: processes=3" in stated.out and "(the time was over)" in stated.out
    told = re.search(
        r"NO DIFFERENCE  in 1 configuration .*; \d+ not looked at.* checker (compare .*)$", stated.out.strip()
    )
    assert told is not None
    assert "constants  processes=3" in checker(*shlex.split(told[1]), *BRIEFLY).out
    asked = checker("compare", "edit.py", *BRIEFLY, "--within", "0", "-D", "processes=2..3")
    assert asked.code == 4 and asked.out.splitlines()[-1].startswith("INCONCLUSIVE")


def test_a_limit_that_leaves_the_verdict_of_the_base_open_leaves_the_comparison_open(here: Path, checker: Any) -> None:
    """The base violates its invariant beyond the limit, the edit never: that is a repair, and not no difference."""
    (here / "count.py").write_text(COUNT)
    (here / "few.py").write_text(FEW)
    cut = checker("compare", "few.py", *BRIEFLY, "--here", "--max-states", "20", "--json", "c.json")
    assert cut.code == 4
    assert cut.out.splitlines()[-1].startswith("INCONCLUSIVE  small not decided for count.py")
    (row,) = json.loads(Path("c.json").read_text())["configurations"]
    assert row["verdict"] == "inconclusive"
    whole = checker("compare", "few.py", *BRIEFLY, "--here")
    assert whole.code == 0 and whole.out.splitlines()[-1].startswith("CHANGED  repaired: small")


def test_a_sequencer_that_delivers_what_it_does_not_have_is_told(here: Path, checker: Any) -> None:
    """No property speaks of it: the first step that the base does not have is the finding, with the rule."""
    (here / "hasty.py").write_text(SEQUENCER)
    found = checker("compare", "hasty.py", *BRIEFLY, "-D", "workload=1,1")
    assert found.code == 0
    first = found.out.splitlines()[1]
    assert first.startswith("  steps      step 5, numbered(p2, p1, m2.1, 1), leads elsewhere")
    assert "m2.1 is not in held[p2] = {}" in first
    assert found.out.splitlines()[-1].startswith("CHANGED  steps: new and gone")


THREE_FIRST = """
from checker.language import rule
from checker.models.causal_vector_clock import CausalVectorClock

class FirstThree(CausalVectorClock):
    \"\"\"EDIT: compare only the entries of the first three processes.\"\"\"

    @rule
    def past_delivered(self, q, m):
        return all(
            self.clock[q][k] >= self.stamps[q][m][k] for k in self.Process if k != self.sender(m) and k.index < 3
        )
"""


def test_without_a_difference_the_largest_configuration_is_shown_and_what_lies_beyond(here: Path, checker: Any) -> None:
    """What a small configuration cannot tell is not said to be the same everywhere: the constants stand on the line, z3
    finds the rule that differs with one process more, and the command that compares there finds the violation."""
    (here / "three.py").write_text(THREE_FIRST)
    found = checker(
        *("compare", "three.py", "--steps", "0", "--events", "0", "-D", "workload=1,0|1,0,0", "--json", "c.json"),
        *("--markdown", "c.md", "--out", "o"),
    )
    *lines, report = found.out.splitlines()
    assert (
        found.code == 0 and lines[-1].startswith("NO DIFFERENCE") and report.split() == ["reports", "o/comparison.html"]
    )
    assert "  changed    rule past_delivered (the same in every state in both configurations)" in lines
    assert any(line.startswith("  proved     in both configurations every step of base and edit") for line in lines)
    (rule,) = (line for line in lines if "rule past_delivered: " in line)
    assert rule.split(": ", 1)[1].startswith("weaker with processes=4 over all states of its types, reachable or not")
    assert lines[-1].endswith(" is weaker with processes=4"), lines[-1]
    assert lines[-3].endswith("checker compare causal_vector_clock three.py -D workload='1 over 3..4'")
    data = json.loads(Path("c.json").read_text())["beyond"]
    assert {"rule": "past_delivered", "relation": "weaker", "processes": 4} in data["rules"]
    assert data["larger"] == "workload='1 over 3..4'" and len(data["text"]) == len(data["rules"]) + 1
    page = html.unescape(next(Path("o").rglob("comparison.html")).read_text())
    markdown = Path("c.md").read_text().replace("\\", "")
    for text in data["text"]:
        assert f"beyond: {text}" in page and f"- {text}" in markdown
    beyond = checker("compare", "three.py", *BRIEFLY, "-D", "workload=1,0,0,1")
    assert beyond.code == 1 and "k = p4 is left out: p4.index = 3 is not < 3" in beyond.out


def test_every_form_names_the_constants_that_were_compared(here: Path, checker: Any) -> None:
    """Terminal, all of it, Markdown, page and JSON: the rule is the same in every state with these, not with the
    default constants."""
    (here / "three.py").write_text(THREE_FIRST)
    asked = ["compare", "three.py", "--steps", "0", "--events", "0", "-D"]
    said = "past_delivered (the same in every state with {})"
    written = checker(*asked, "workload=1,0,0", "--all", "--markdown", "c.md", "--out", "out", "--json", "c.json")
    forms = {
        "terminal": written.out,
        "Markdown": (here / "c.md").read_text().replace("\\", ""),
        "page": (here / "out" / "comparison.html").read_text(),
        "JSON": (here / "c.json").read_text(),
    }
    for form, text in forms.items():
        assert said.format("workload=1,0,0") in text and "default constants" not in text, form
    default = checker("compare", "three.py", "--here", "--steps", "0", "--events", "0")
    assert said.format("the default constants") in default.out


def test_a_misspelt_rule_is_told_first(here: Path, checker: Any) -> None:
    """As `check` tells it."""
    (here / "misspelt.py").write_text(MISSPELT)
    ran = checker("compare", "misspelt.py", *BRIEFLY, "-D", "workload=1,1")
    lines = ran.out.splitlines()
    assert lines[1].startswith("  warning    misspelt.py: deliverabel (misspelt.py:")
    assert lines[1].endswith("changes nothing there; did you mean deliverable?")
    assert lines[2] == "  changed    nothing by deliverabel, which overrides nothing and which nothing calls"
    assert ran.code == 3 and lines[-1].startswith("NO DIFFERENCE  deliverabel overrides nothing; in ")


def test_the_first_screen_fits_a_terminal_and_something_moves_from_the_start(repository: Path) -> None:
    """Twenty-four lines of eighty columns hold the answer; before it comes, a line says what is being done."""
    lines, everything = on_a_terminal("compare", "edit.py", *BRIEFLY)
    assert len(lines) <= 23 and all(len(line) <= 80 for line in lines)
    assert lines[1].startswith("  breaks     a_majority_has_voted") and lines[2].startswith("  because    step ")
    assert len(set(lines)) == len(lines), "no line stands twice"
    told, _, rest = everything.partition("  because ")
    assert [line[2:8].strip() for line in lines[2:8] if line[2:8].strip()][:3] == ["becaus", "now", "before"]
    assert any(re.match(r"  took       \d+\.\d\d s \(read ", line) for line in lines)
    assert "rules, over all states of their types" in rest and "rules, over all" not in told, "that is known at once"
    assert lines[-1].startswith("BROKEN") or any(line.startswith("BROKEN") for line in lines[-3:])
    assert "reading the models" in everything and "searching" in everything


def test_what_breaks_and_where_is_handed_on_before_the_rest_is_compared(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also to a pipe, which holds back what is not flushed."""
    handed_on: list[str] = []
    monkeypatch.setattr(Output, "flush", lambda _: handed_on.append(capsys.readouterr().out))

    def comparing(*_: Any, **__: Any) -> Any:
        raise UsageError(f"stopped after {len(handed_on)}")

    monkeypatch.setattr("checker.analysis.compare.several.detailed", comparing)
    assert run(["compare", "edit.py", *BRIEFLY]) == 2
    assert "stopped after 1" in capsys.readouterr().err
    first, *rest = handed_on[0].splitlines()
    assert first == "votes.py against edit.py"
    assert rest[0] == "  breaks     a_majority_has_voted, with processes=3"
    assert [line[2:9].strip() for line in rest[1:]] == ["because", "now", "before", "so that"]


@pytest.mark.thorough
def test_an_unseen_vote_that_is_ignored_breaks_the_order_where_there_are_four_processes(
    here: Path, checker: Any
) -> None:
    """S-ToTo holds at 2,1,1; the base's own expectations list 1,1,1,1, where the edit delivers in different orders."""
    (here / "optimist.py").write_text(S_TOTO)
    found = checker("compare", "optimist.py", *BRIEFLY, "--events", "0", "--within", "100000", "--json", "c.json")
    assert found.code == 1
    data = json.loads(Path("c.json").read_text())
    rows = {tuple(sorted((n, str(v)) for n, v in c["given"].items())): c for c in data["configurations"]}
    assert not rows[("workload", "[2, 1, 1]"),]["broken"]
    broken = rows[("workload", "[1, 1, 1, 1]"),]["broken"]
    assert "PrefixOrder" in [name for name, _ in broken]
    assert "workload=1,1,1,1: breaks PrefixOrder" in found.out
    assert found.out.splitlines()[1].startswith("  breaks     PrefixOrder")


UP_TO_TWO = """
from checker.language import rule
from checker.models.causal_vector_clock import CausalVectorClock


class UpToTwo(CausalVectorClock):
    \"\"\"EDIT: wait for two messages of another process at most.\"\"\"

    @rule
    def past_delivered(self, q, m):
        return all(self.clock[q][k] >= min(2, self.stamps[q][m][k]) for k in self.Process if k != self.sender(m))
"""


def test_rules_say_in_which_configurations_a_difference_is_reachable(here: Path, checker: Any) -> None:
    """A bound of two is a difference in all configurations over all states; reachable only with three messages of one
    process; a search that is ended too early decides nothing."""
    (here / "two.py").write_text(UP_TO_TWO)
    asked = ("rules", "causal_vector_clock", "two.py", "--rule", "past_delivered", "--each", "workload=1,1,0|3,1,0")
    found = checker(*asked, "--reached", "100000", "--json", "r.json")
    assert [line.split("  ", 1)[1].strip() for line in found.out.splitlines() if line.startswith("workload=")] == [
        "weaker, not reached",
        "weaker, reached in 10 steps",
    ]
    data = json.loads(Path("r.json").read_text())
    assert data["searched"] == 100_000
    assert [rule["reached_in"] for member in data["members"] for rule in member["rules"]] == [None, 10]
    assert checker(*asked, "--reached", "3").out.count("weaker, not known whether reached") == 2
    assert "--reached=STATES searches" in checker(*asked).out

"""A comparison of a protocol with an edited one: source, verdicts, outcomes, exit codes, and its forms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checker.analysis.compare.comparison import compare
from checker.analysis.compare.several import compare_family
from checker.analysis.compare.side import Side
from checker.analysis.compare.sources import differences
from checker.analysis.compare.undecided import smaller
from checker.cli.program import run
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.models.basic_multicast import BasicMulticast
from checker.models.fifo_multicast import FifoMulticast
from checker.models.isis import Isis, NothingToItself
from checker.report.compare.markdown import comparison_markdown
from checker.report.compare.steps import outcome_text
from checker.report.compare.summary import summary
from checker.report.compare.text import sections
from checker.results.comparison import Comparison
from checker.results.configurations import FamilyComparison
from tests.analysis.compare import lock

LOCK = Path(lock.__file__)


BRIEFLY = ("--rules", "0", "--steps", "0", "--events", "0", "--delays", "0")


def whole_family(before: type[Model], after: type[Model]) -> FamilyComparison:
    """The default constants alone, as the command has it with --here."""
    return compare_family(
        Side(before, before.__name__), Side(after, after.__name__), [{}], engine="interpreter", rule_seconds=0
    )


def compared(before: type[Model], after: type[Model], **constants: Any) -> Comparison:
    """A comparison without the rules."""
    return compare(
        Side(before, before.__name__), Side(after, after.__name__), constants, engine="interpreter", rule_seconds=0
    )


def changes(found: Comparison) -> dict[str, str]:
    """What happened to each property."""
    return {p.name: p.change for p in found.properties}


def names(before: type[Model], after: type[Model]) -> list[tuple[str, str]]:
    """Kinds and names of the parts that differ."""
    return [(d.kind, d.name) for d in differences(define(before), define(after), ("a", "b"))]


def test_an_edit_that_breaks_a_property_is_broken_with_its_cause() -> None:
    """Exclusion held and is violated; its trace is that of the edit, with the cause marked."""
    found = compared(lock.Lock, lock.NoGuard)
    assert changes(found) == {"exclusion": "broken", "everybody_worked": ""}
    assert (found.verdict, found.exit_code) == ("broken", 1)
    trace = found.properties[0].trace
    assert trace is not None and [s.number for s in trace.steps if s.cause] == [2]


def test_an_edit_the_other_way_round_repairs_it() -> None:
    """The base's run is shown, and where the edit leaves it; nothing is broken."""
    found = compared(lock.NoGuard, lock.Lock)
    assert changes(found)["exclusion"] == "repaired"
    assert (found.verdict, found.exit_code) == ("changed", 0)
    assert found.properties[0].note == (
        "the edit leaves this run at step 2: in Lock this step is not enabled: "
        "may_take(p2) is false (lock.py:56): holder = p1 is not none (lock.py:42)"
    )


def test_an_error_that_only_the_edit_runs_into_breaks_it() -> None:
    """A model error is a violation that the base does not have."""
    found = compared(lock.Lock, lock.Unsafe)
    assert found.exit_code == 1
    assert [p.kind for p in found.properties if p.change == "broken"] == ["error"]


def test_a_search_that_was_stopped_decides_nothing() -> None:
    """Within a bound no edit is the same."""
    from checker.search.limits import Limits

    found = compare(
        Side(lock.Lock, "a"), Side(lock.Same, "b"), engine="interpreter", rule_seconds=0, limits=Limits(max_depth=2)
    )
    assert (found.verdict, found.exit_code) == ("inconclusive", 4)


def test_as_many_kinds_of_outcome_have_a_run_as_were_asked_for() -> None:
    """The others are named without one, and the report says how to see them."""
    given = {"engine": "interpreter", "rule_seconds": 0, "most_runs": 1}
    found = compare(Side(BasicMulticast, "a"), Side(FifoMulticast, "b"), {"workload": (2, 1), "crashes": 1}, **given)
    assert found.outcomes is not None
    assert len(found.outcomes.removed) > 2 and [r.trace is None for r in found.outcomes.removed] == [
        i > 0 for i in range(len(found.outcomes.removed))
    ]
    text = "".join(part for _, lines in sections(found) for line in lines for part, _ in line)
    assert f"{len(found.outcomes.removed) - 1} kinds without a run (--runs N shows more)" in text


def test_outcomes_that_came_and_went_have_a_shortest_run_each() -> None:
    """Where only p1 may take the lock, only p1 has worked at the end; that both have does not happen any more."""
    found = compared(lock.Lock, lock.FirstOnly)
    assert found.outcomes is not None
    assert (found.outcomes.before, found.outcomes.after) == (1, 1)
    (added,), (removed,) = found.outcomes.added, found.outcomes.removed
    assert (outcome_text(added.example), added.steps) == ("done {p1}", 2)
    assert (outcome_text(removed.example), removed.steps) == ("done {p1, p2}", 4)
    assert removed.trace is not None and removed.note.startswith("the edit leaves this run at step 3")


def test_outcomes_that_differ_in_names_only_are_one_kind() -> None:
    """The lock that works for one process only, whichever: three outcomes, one kind."""
    found = compared(lock.Lock, lock.OneWorks, processes=3)
    assert found.outcomes is not None and [r.count for r in found.outcomes.added] == [3]


def test_only_what_differs_is_listed() -> None:
    """An overridden rule, a new variable, a helper that is new; not what is inherited."""
    assert names(lock.Lock, lock.NoGuard) == [("rule", "may_take")]
    assert names(lock.Lock, lock.Counted) == [("variable", "taken"), ("action", "take")]
    assert names(lock.Lock, lock.Open) == [("rule", "may_take"), ("initial", "start")]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lock.OtherDerived, "derived value half: 1 → 2"),
        (lock.OtherType, "type Small: Int(0, 2) → Int(1, 2)"),
        (lock.OtherAttribute, "attribute FEW: 1 → 2"),
        (lock.OtherDefault, "default limit: 2 → 3, both run with 3"),
    ],
    ids=lambda x: getattr(x, "__name__", None),
)
def test_values_types_and_defaults_that_differ_are_in_the_summary(edit: Any, said: str) -> None:
    """With what they were and are; of an edited default also that both are run with one value."""
    assert [text for key, text, _ in summary(compared(lock.Limited, edit)) if key == "changed"] == [said]


def test_an_override_that_repeats_the_original_is_no_difference() -> None:
    """Docstrings and annotations are not compared."""
    assert names(lock.Lock, lock.Repeated) == []


def test_what_is_no_difference_is_not_in_the_diff() -> None:
    """Docstring, annotations and a decorator that is inherited: only the lines that matter differ."""
    found = differences(define(lock.Lock), define(lock.NoGuard), ("before", "after"))[0]
    assert [text for text in found.diff.splitlines()[3:] if text[:1] in "+-"] == [
        "-    return self.holder is None and p not in self.done",
        "+    return p not in self.done and p not in self.inside",
    ]


def test_the_difference_of_a_rule_is_a_unified_diff() -> None:
    """With the lines of both sides."""
    found = differences(define(lock.Lock), define(lock.NoGuard), ("before", "after"))[0]
    lines = found.diff.splitlines()
    assert lines[0].startswith("--- before Lock.may_take (lock.py:")
    assert "-    return self.holder is None and p not in self.done" in lines
    assert "+    return p not in self.done and p not in self.inside" in lines


def test_a_constant_of_neither_is_refused() -> None:
    """The message lists the constants there are."""
    with pytest.raises(UsageError, match="neither model has a constant speed") as error:
        compared(lock.Lock, lock.NoGuard, speed=1)
    assert "processes" in str(error.value)


def test_models_of_two_protocols_are_said_to_be_such_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither edits the other; two edits of one protocol have it in common."""
    assert run(["compare", "isis", "sequencer", "-D", "workload=1,0", *BRIEFLY]) == 1
    assert (
        capsys.readouterr()
        .out.splitlines()[1]
        .startswith("  unrelated  neither is an edit of the other, nor do both edit one model")
    )
    assert run(["compare", "isis:NoTieBreak", "isis:DeliverAnyFinal", "-D", "workload=1,0", *BRIEFLY]) == 0
    assert "unrelated" not in capsys.readouterr().out


def test_models_without_a_common_variable_are_refused() -> None:
    """There is nothing to compare."""
    with pytest.raises(UsageError, match="no variable in common"):
        compared(lock.Lock, lock.Stranger)


def test_markdown_shows_verdicts_diff_and_run() -> None:
    """The form for a pull request."""
    text = comparison_markdown(whole_family(lock.Lock, lock.NoGuard))
    assert text.startswith("## The edit breaks a property: Lock against NoGuard")
    assert "| exclusion | holds | violated | **broken** in 2 steps |" in text
    assert "```diff\n--- Lock Lock.may_take" in text
    assert "### exclusion violated at step 2 of 2" in text


def test_every_form_holds_every_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A violation, outcomes, events, steps and a state in which the rule differs: --all prints them, JSON holds them,
    --out draws them; Markdown has the violation, and names what it has no room for."""
    out = tmp_path / "out"
    arguments = ["compare", "fifo_multicast:ExpectAny", "-D", "workload=2,0", "--delays", "0", "--all"]
    assert (
        run([*arguments, "--json", str(tmp_path / "c.json"), "--markdown", str(tmp_path / "c.md"), "--out", str(out)])
        == 1
    )
    text, data, markdown = (
        capsys.readouterr().out,
        json.loads((tmp_path / "c.json").read_text()),
        (tmp_path / "c.md").read_text(),
    )
    titles = [
        "FifoOrder violated at step 3 of 3",
        "new outcome 1 reached at step",
        "new outcome 2 reached at step",
        "events that only the edit has reached at step",
        "a step that only the edit has reached at step 3",
        "a state in which expected differs",
    ]
    page = (out / "comparison.html").read_text()
    for title in titles:
        assert title in text and title in page
    assert titles[0] in markdown and len(markdown) < 10_000
    assert "Left out, as there is no room: " in markdown and "steps of one side alone" in markdown.splitlines()[-1]
    assert (
        data["rules"][0]["trace"] is not None
        and data["steps"]["added"] is not None
        and data["behaviours"]["added"]["trace"] is not None
    )
    assert all(r["trace"] is not None for r in data["outcomes"]["added"])
    assert len(list(out.glob("*/trace.itf.json"))) == 1 + len(data["outcomes"]["added"]) + 1 + 2 + 1


def test_a_warning_for_both_is_told_once() -> None:
    """One message has no order, on either side."""
    found = compare(
        Side(FifoMulticast, "a"), Side(FifoMulticast, "b"), {"workload": (1, 0)}, rule_seconds=0, step_seconds=0
    )
    assert found.warnings and all(w.startswith("both: ") for w in found.warnings)


# The first screen


def said(found: Comparison, key: str) -> list[str]:
    """What the summary says under a key."""
    return [text for k, text, _ in summary(found) if k == key]


def test_the_first_screen_says_what_changed_what_that_breaks_and_because_of_which_step() -> None:
    """The rule, the property, the step with what the base does instead, and the witness."""
    found = compared(lock.Lock, lock.NoGuard)
    assert said(found, "changed") == ["rule may_take"]
    assert said(found, "breaks") == ["exclusion"]
    assert said(found, "because") == ["step 2 is take(p2) (exclusion, a shortest run of 2 steps)"]
    assert said(found, "now") == ["may_take(p2) is true (lock.py:77): p2 is not in inside = {p1}"]
    assert said(found, "before") == ["it is false (lock.py:56): holder = p1 is not none"]
    assert not any("take(" in text for text in said(found, "steps"))  # one step is named
    trace = found.properties[0].trace
    assert trace is not None and said(found, "so that") == [trace.witness]
    turned = compared(lock.NoGuard, lock.Lock)
    assert said(turned, "breaks") == ["nothing new: 2 properties are in common"]
    assert said(turned, "repairs") == [
        "exclusion: the edit leaves this run at step 2: in Lock this step is not enabled: "
        "may_take(p2) is false (lock.py:56): holder = p1 is not none (lock.py:42)"
    ]


def test_what_both_violate_is_named_and_is_nothing_new() -> None:
    """Neither lets both work."""
    assert said(compared(lock.FirstOnly, lock.OneWorks), "breaks") == [
        "nothing new: 2 properties are in common; violated by both: everybody_worked"
    ]


def test_that_no_step_is_new_is_said_where_all_were_looked_at() -> None:
    """With p1 alone each run is one of the lock; p2's take is gone from the start."""
    assert said(compared(lock.Lock, lock.FirstOnly), "steps") == [
        "none is new: each of its runs is one of the base (3 common states)",
        "the first that is gone on a shortest run: step 1, take(p2)",
    ]
    assert said(compared(lock.Lock, lock.Same), "steps") == [
        "none is new: every run of one is a run of the other (8 common states)"
    ]


def test_an_edit_that_stops_early_is_explained_by_what_the_base_would_go_on_with() -> None:
    """No step was forbidden before: the rule that stays false at the end is named in both versions."""
    found = compared(lock.Lock, lock.FirstOnly)
    assert said(found, "because") == [
        "at the end, take(p2): may_take(p2) is false (lock.py:85): p2 is not p1 (everybody_worked, a "
        "shortest run of 2 steps)"
    ]
    assert said(found, "before") == ["it is true (lock.py:56): without the condition p2 == p1"]


def test_rules_are_named_with_their_relation_and_those_that_call_them_too() -> None:
    """What z3 found stands beside the name."""
    found = compare(Side(lock.Lock, "Lock"), Side(lock.Cautious, "Cautious"))
    assert said(found, "changed") == ["rule may_take (stronger, in no state between steps that base or edit reaches)"]


def test_a_property_of_one_side_alone_is_named_and_the_others_decide() -> None:
    """Asking has no `done`: its lock's own property stays with the lock, and what both have gets its verdict."""
    found = compared(lock.Lock, lock.Watched)
    assert changes(found) == {"exclusion": "", "everybody_worked": "", "few": "other"}
    assert next(p.note for p in found.properties if p.name == "few") == "only Watched has it"
    assert (found.verdict, found.undecided, found.exit_code) == ("same", (), 0)
    assert said(found, "one side") == ["few: a property of one of the two only"]


def test_models_without_a_common_property_are_not_decided_and_say_so() -> None:
    """There is nothing that the edit could break."""
    found = compared(lock.Lock, lock.Asking)
    assert found.verdict == "inconclusive"
    assert found.undecided == ("the two have no property in common",)


def test_a_bound_is_the_reason_where_nothing_is_decided() -> None:
    """The property, the side and the bound are named."""
    from checker.search.limits import Limits

    found = compare(
        Side(lock.Lock, "a"), Side(lock.Same, "b"), engine="native", rule_seconds=0, limits=Limits(max_depth=1)
    )
    assert said(found, "undecided") == [
        "exclusion, everybody_worked not decided for b: the search was stopped by the limit on depth (1)"
    ]


def test_what_the_time_was_too_short_for_is_named_with_smaller_constants() -> None:
    """Each part that was asked for and not decided, the option for it, and one message less; what was decided or not
    asked for is not named."""
    sides = Side(Isis, "a"), Side(NothingToItself, "b")
    found = compare(*sides, {"workload": (1, 1)}, rule_seconds=0, step_seconds=1e-9, event_seconds=1e-9)
    assert said(found, "open") == [
        "steps beyond the first 1 state (--steps), sequences of events (--events): more seconds decide it, "
        "or smaller constants, for example -D workload=1,0"
    ]
    assert said(compare(*sides, {"workload": (1, 1)}, rule_seconds=0, step_seconds=0), "open") == []


def test_the_next_smaller_constants_are_some_that_both_models_accept() -> None:
    """One message less where there are several, else one fault less; none where the protocol has nothing to save."""
    assert smaller((Isis, Isis), {"workload": (2, 1, 0), "crashes": 1}) == "-D workload=1,1,0"
    assert smaller((Isis, Isis), {"workload": (1, 0), "crashes": 2}) == "-D crashes=1"
    assert smaller((lock.Lock, lock.Same), {}) == ""


# The command


def test_the_command_names_the_exit_code_and_writes_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One class alone is compared with the class it edits."""
    code = run(
        [
            "compare",
            f"{LOCK}:NoGuard",
            "--engine",
            "interpreter",
            "--json",
            str(tmp_path / "c.json"),
            "--markdown",
            str(tmp_path / "c.md"),
            "--out",
            str(tmp_path / "out"),
            "--all",
        ]
    )
    assert code == 1
    printed = capsys.readouterr().out
    assert "holds → violated  BROKEN, 2 steps, the first that was not allowed before is step 2" in printed
    assert "CAUSE: not allowed before the edit" in printed
    data = json.loads((tmp_path / "c.json").read_text())
    assert (data["verdict"], data["exit_code"]) == ("broken", 1)
    assert [(p["name"], p["change"], p["cause"]) for p in data["properties"]] == [
        ("exclusion", "broken", 2),
        ("everybody_worked", "", None),
    ]
    assert [(r["name"], r["relation"]) for r in data["rules"]] == [("may_take", "incomparable")]
    assert (tmp_path / "c.md").read_text().startswith("## The edit breaks")
    assert (tmp_path / "out" / "lock-NoGuard-exclusion" / "trace.itf.json").exists()
    page = (tmp_path / "out" / "comparison.html").read_text()
    assert '<a href="lock-NoGuard-exclusion/trace.html">' in page
    assert "holds → violated" in page and "&amp;lt;" not in page


def test_an_edit_without_a_difference_ends_with_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    """The same rule in other words: nothing differs, and the verdict names what was compared."""
    assert run(["compare", f"{LOCK}:Same"]) == 0
    verdict = capsys.readouterr().out.splitlines()[-1]
    assert verdict == "NO DIFFERENCE  in 1 configuration (every step is the same)"
    assert run(["compare", f"{LOCK}:Same", "--rules", "0"]) == 0
    verdict = capsys.readouterr().out.splitlines()[-1]
    assert verdict == "NO DIFFERENCE  in 1 configuration (verdicts, outcomes, steps)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([f"{LOCK}"], "edits no model"),
        ([f"{LOCK}", f"{LOCK}"], "are the same class"),
        ([f"{LOCK}:NoGuard", "--here", "-D", "processes=2"], "--here means the default constants"),
        ([f"{LOCK}:Nobody"], "there is no model class Nobody"),
        ([f"{LOCK}:NoGuard", "--markdown", "/no/such/directory/c.md"], "cannot write there"),
    ],
)
def test_wrong_commands_are_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One clear message and exit code 2."""
    assert run(["compare", *arguments]) == 2
    assert message in capsys.readouterr().err


# Revisions


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with the lock, in which the second commit takes the guard out."""
    file = tmp_path / "lock.py"

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    file.write_text(LOCK.read_text())
    git("add", "lock.py")
    git("commit", "-q", "-m", "one")
    file.write_text(
        LOCK.read_text().replace(
            "return self.holder is None and p not in self.done", "return p not in self.done and p not in self.inside", 1
        )
    )
    git("commit", "-q", "-a", "-m", "two")
    return file


def test_a_model_is_compared_with_its_file_at_a_revision(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The former text of the same class is the base."""
    assert run(["compare", str(repository), "--against", "HEAD~1", "--engine", "interpreter", "--all"]) == 1
    printed = capsys.readouterr().out
    assert f"{repository} at HEAD~1 against {repository}" in printed
    assert "holds → violated  BROKEN" in printed


def test_against_the_same_revision_nothing_differs(repository: Path) -> None:
    """Against the last commit nothing differs."""
    assert run(["compare", str(repository), "--against", "HEAD", "--engine", "interpreter"]) == 0


EDIT = """
from guarded import Lock
from promises import Few

class Sub(Lock):
    \"\"\"EDIT: another property.\"\"\"
    properties = [Few]

class OfToday(Sub):
    \"\"\"EDIT: none.\"\"\"
"""
PROMISES = """
from checker.language import Invariant

class Few(Invariant):
    def holds(self) -> bool:
        return len(self.done) <= 2
"""


def test_bases_and_properties_are_those_of_the_revision_too(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is the same; the lock that it imports lost its guard since, and the property promises less."""
    folder = repository.parent

    def git(*arguments: str) -> None:
        subprocess.run(
            ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
            check=True,
            capture_output=True,
        )

    (folder / "guarded.py").write_text(LOCK.read_text())
    (folder / "edit.py").write_text(EDIT)
    (folder / "promises.py").write_text(PROMISES)
    git("add", ".")
    git("commit", "-q", "-m", "three")
    (folder / "guarded.py").write_text(repository.read_text())  # without the guard
    (folder / "promises.py").write_text(PROMISES.replace("2", "1"))
    assert (
        run(
            [
                "compare",
                str(folder / "edit.py"),
                "--against",
                "HEAD",
                "--engine",
                "interpreter",
                "--json",
                str(folder / "c.json"),
            ]
        )
        == 1
    )
    data = json.loads((folder / "c.json").read_text())
    assert [(d["kind"], d["name"]) for d in data["source"]] == [("rule", "may_take"), ("property", "Few")]
    verdicts = {p["name"]: (p["before"], p["after"]) for p in data["properties"]}
    assert verdicts["exclusion"] == ("holds", "violated")
    assert verdicts["Few"] == ("holds", "violated") and verdicts["former Few"] == ("holds", "holds")
    assert [name for name in sys.modules if " at HEAD" in name] == []
    assert Path(str(sys.modules["guarded"].__file__)).parent == folder
    assert run(["compare", f"{folder / 'edit.py'}:OfToday", "--against", "HEAD~1"]) == 2
    assert "edit.py does not exist at HEAD~1" in capsys.readouterr().err


def test_a_class_that_the_revision_does_not_have_is_refused(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file is there, the class is not yet."""
    repository.write_text(repository.read_text() + '\n\nclass New(Lock):\n    """EDIT: none."""\n')
    assert run(["compare", f"{repository}:New", "--against", "HEAD"]) == 2
    assert "lock.py has no model class New at HEAD" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("revision", "message"), [("nowhere", "there is no revision nowhere"), ("HEAD~5", "there is no revision HEAD~5")]
)
def test_unknown_revisions_are_refused(
    repository: Path, revision: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 with the name."""
    assert run(["compare", str(repository), "--against", revision]) == 2
    assert message in capsys.readouterr().err


def test_a_file_that_is_not_in_the_revision_is_refused(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A new file has no former self."""
    new = repository.parent / "new.py"
    new.write_text(LOCK.read_text())
    assert run(["compare", str(new), "--against", "HEAD"]) == 2
    assert "new.py does not exist at HEAD" in capsys.readouterr().err


def test_a_file_outside_any_repository_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is no git to ask."""
    file = tmp_path / "lock.py"
    file.write_text(LOCK.read_text())
    assert run(["compare", str(file), "--against", "HEAD"]) == 2
    assert "is not in a git repository" in capsys.readouterr().err

"""What a build server is told is read back by readers that are not ours: junitparser, and the object model generated
from SARIF's schema."""

from __future__ import annotations

import inspect
import json
import subprocess
from pathlib import Path
from typing import Any

import attr
import pytest
import sarif_om
from junitparser import Error, Failure, JUnitXml, Skipped

from checker.models import isis
from checker.report.junit import clean

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "broadcast.py"
MEANINGS = {
    "runs": sarif_om.Run,
    "tool": sarif_om.Tool,
    "driver": sarif_om.ToolComponent,
    "rules": sarif_om.ReportingDescriptor,
    "results": sarif_om.Result,
    "message": sarif_om.Message,
    "shortDescription": sarif_om.MultiformatMessageString,
    "relatedLocations": sarif_om.Location,
    "location": sarif_om.Location,
    "physicalLocation": sarif_om.PhysicalLocation,
    "artifactLocation": sarif_om.ArtifactLocation,
    "region": sarif_om.Region,
    "codeFlows": sarif_om.CodeFlow,
    "threadFlows": sarif_om.ThreadFlow,
}


def read(data: dict[str, Any], kind: Any = sarif_om.SarifLog) -> Any:
    """A SARIF object; TypeError for a property that the schema does not know, or for a required one that is absent."""
    names = {a.metadata["schema_property_name"]: a.name for a in attr.fields(kind)}
    unknown = set(data) - set(names)
    if unknown:
        raise TypeError(f"{kind.__name__} has no {unknown}")
    inner = {**MEANINGS, "locations": sarif_om.ThreadFlowLocation if kind is sarif_om.ThreadFlow else sarif_om.Location}

    def value(name: str, given: Any) -> Any:
        if name not in inner:
            return given
        return [read(item, inner[name]) for item in given] if isinstance(given, list) else read(given, inner[name])

    return kind(**{names[name]: value(name, given) for name, given in data.items()})


def sarif(file: str) -> Any:
    """The one run of a SARIF file."""
    log = read(json.loads(Path(file).read_text(encoding="utf-8")))
    assert log.version == "2.1.0" and len(log.runs) == 1
    return log.runs[0]


def line_of(file: str, text: str) -> int:
    """The number of the first line that holds a text."""
    return next(n for n, line in enumerate(Path(file).read_text().splitlines(), 1) if text in line)


def test_a_property_that_the_schema_does_not_know_is_refused() -> None:
    """The reader of these tests is strict."""
    with pytest.raises(TypeError):
        read({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "result": []}]})
    with pytest.raises(TypeError):
        read({"version": "2.1.0", "runs": [{"results": []}]})


def test_each_property_is_a_case_and_each_model_with_constants_a_suite(checker: Any, lock: str) -> None:
    """The broken property fails with its trace, the one whose search ended before is skipped, the found one passes."""
    assert checker("check", f"{lock}:Careless", "-D", "clients=3", "--junit", "j.xml").code == 1
    (suite,) = JUnitXml.fromfile("j.xml")
    assert suite.name == "lock.py:Careless clients=3" and {(p.name, p.value) for p in suite.properties()} == {
        ("clients", "3")
    }
    cases = {case.name: case.result for case in suite}
    assert isinstance(cases["alone"][0], Failure) and "take(c2)   CAUSE" in cases["alone"][0].text
    assert isinstance(cases["known"][0], Skipped)
    assert cases["somebody_is_inside"] == []
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (3, 1, 0, 1)


def test_a_search_cut_short_is_an_error_not_a_pass(checker: Any, lock: str) -> None:
    """What was not decided must not make a build green."""
    assert (
        checker("check", lock, "-D", "clients=3", "--max-depth", "1", "--junit", "j.xml", "--sarif", "s.json").code == 4
    )
    (suite,) = JUnitXml.fromfile("j.xml")
    undecided = [case.name for case in suite if any(isinstance(r, Error) for r in case.result)]
    assert undecided == ["alone", "known"] and suite.failures == 0
    assert {result.level for result in sarif("s.json").results} == {"warning"}


def test_under_strict_what_was_never_put_to_the_test_is_an_error(checker: Any, write: Any) -> None:
    """A property that only an action that is never enabled could break; the other property passes."""
    text = (
        "from checker.language import Int, Model, action, invariant, require, var\n\n\nclass Still(Model):\n    "
        "n = var(Int(0, 3), 0)\n"
    )
    text += "\n    @action\n    def up(self):\n        require(self.n < 2)\n        self.n += 1\n"
    text += "\n    @action\n    def never(self):\n        require(self.n > 2)\n        self.n = 0\n"
    text += "\n    @invariant\n    def small(self) -> bool:\n        return self.n < 3\n"
    assert checker("check", write("still.py", text), "--strict", "--junit", "j.xml").code == 3
    (suite,) = JUnitXml.fromfile("j.xml")
    wrong = {case.name: case.result[0].message for case in suite if case.result}
    assert suite.errors == len(wrong) == 1 and "never" in wrong["vacuity"] and "small" in {case.name for case in suite}


def test_a_violation_that_is_expected_passes_and_one_that_is_not_fails(checker: Any, lock: str) -> None:
    """Under verify the expectation decides: Careless says that it is broken, Hopeful does not."""
    assert checker("verify", lock, "--junit", "j.xml", "--sarif", "s.json").code == 1
    suites = {suite.name: suite for suite in JUnitXml.fromfile("j.xml")}
    assert set(suites) == {"lock.py", "lock.py clients=3", "lock.py:Careless", "lock.py:Hopeful"}
    assert {name for name, suite in suites.items() if suite.failures} == {"lock.py:Hopeful"}
    result, same = sarif("s.json").results
    assert result.rule_id == "lock.py:Hopeful:alone" and result.level == "error"
    assert same.rule_id == "lock.py:Hopeful:expectation" and same.level == "warning"
    assert "Hopeful is the same as Careless: nothing is edited" in same.message.text


@pytest.mark.parametrize("expected", ["holds()", 'violates("small")'])
def test_a_rule_that_nothing_calls_is_told_beside_a_failure(expected: str, checker: Any, write: Any) -> None:
    """Whether or not the expectation of the edit is met, in JUnit and SARIF."""
    text = "from checker.language import Int, Model, action, holds, invariant, rule, var, violates\n\n"
    text += "\nclass Base(Model):\n    n = var(Int(0, 9), 0)\n"
    text += "\n    @rule\n    def may(self) -> bool:\n        return self.n < 4\n"
    text += "\n    @action\n    def up(self):\n        if self.may():\n            self.n += 1\n"
    text += "\n    @invariant\n    def small(self) -> bool:\n        return self.n < 5\n\n\nclass Edit(Base):\n"
    text += f"    @rule\n    def mai(self) -> bool:\n        return self.n < 7\n\n    expect = {expected}\n"
    said = "mai overrides nothing and nothing calls it; did you mean may?"
    failed = ["small"] * (expected != "holds()")
    assert checker("verify", write("edit.py", text), "--junit", "j.xml", "--sarif", "s.json").code == (
        1 if failed else 3
    )
    (suite,) = JUnitXml.fromfile("j.xml")
    assert [case.name for case in suite if case.result] == [*failed, "expectation"]
    assert [said in result.message.text for result in sarif("s.json").results] == [False] * len(failed) + [True]


def test_an_expected_violation_that_is_gone_fails(checker: Any, write: Any, lock: str) -> None:
    """A model that no longer breaks what it should break is told at its property."""
    text = Path(lock).read_text().replace("        return True\n", "        return self.owner is None\n", 1)
    write("mended.py", text)
    assert checker("verify", "mended.py:Careless", "--junit", "j.xml").code == 1
    (suite,) = JUnitXml.fromfile("j.xml")
    failed = {case.name: case.result[0].message for case in suite if case.result}
    assert failed == {
        "alone": "alone should be violated, but holds",
        "expectation": "Careless is the same as Lock: nothing is edited",
    }


def test_sarif_points_at_the_edited_statement_and_walks_the_trace(checker: Any, lock: str) -> None:
    """Result at the line of the edited action that decides; related: the property, the model and the action; code flow:
    the two steps in order, the last essential."""
    checker("check", f"{lock}:Careless", "--sarif", "s.json")
    run = sarif("s.json")
    (result,) = run.results
    place = result.locations[0].physical_location
    edited = line_of(lock, "class Careless") + 5
    assert (place.artifact_location.uri, place.region.start_line) == ("lock.py", edited)
    assert run.tool.driver.rules[result.rule_index].id == result.rule_id
    related = [(r.physical_location.region.start_line, r.message.text) for r in result.related_locations]
    assert related == [
        (line_of(lock, "def alone"), "the property alone"),
        (line_of(lock, "class Careless"), "the model lock.py:Careless"),
        (line_of(lock, "def take"), "take, first taken in step 1"),
    ]
    steps = result.code_flows[0].thread_flows[0].locations
    assert [s.execution_order for s in steps] == [1, 2] and [s.importance for s in steps] == ["important", "essential"]
    assert steps[0].location.message.text == "1. c1: take; owner: none → c1; inside: {} → {c1}"
    assert {s.location.physical_location.region.start_line for s in steps} == {line_of(lock, "def take")}


def test_a_violation_of_an_edit_is_found_at_the_edited_rule(
    checker: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the line of the rule that lets the CAUSE happen; the property of the library is a related location."""
    monkeypatch.chdir(ROOT)
    checker("check", "isis:DeliverAnyFinal", "--sarif", str(here / "s.json"), "--junit", str(here / "j.xml"))
    monkeypatch.chdir(here)
    (result,) = sarif("s.json").results
    place = result.locations[0].physical_location
    assert place.artifact_location.uri == "models/isis.py"
    line = inspect.getsource(isis).splitlines()[place.region.start_line - 1]
    assert line.strip() == "return mine is not None and mine.final"
    related = [r.physical_location.artifact_location.uri for r in result.related_locations]
    assert related[0] == "properties/total_order.py"
    assert (
        "CAUSE in step 17" in result.message.text and "deliverable(p2, m2.1) is true (isis.py:" in result.message.text
    )
    assert f'line="{place.region.start_line}"' in Path("j.xml").read_text()
    flow = result.code_flows[0].thread_flows[0].locations
    assert {s.location.physical_location.artifact_location.uri for s in flow} >= {"models/isis.py"}


def test_no_place_is_outside_of_the_repository(checker: Any, lock: str) -> None:
    """Of a shipped model whose files are elsewhere there is no place, and its steps are words; of a model of one's own
    that violates a property of the library it is its last action, and the property is named in words."""
    checker("check", "isis:DeliverAnyFinal", "--sarif", "s.json", "--junit", "j.xml")
    (result,) = sarif("s.json").results
    flow = result.code_flows[0].thread_flows[0].locations
    assert result.locations == [] and result.related_locations is None
    assert all(step.location.physical_location is None and step.location.message.text for step in flow)
    text = EXAMPLE.read_text(encoding="utf-8")
    Path("broadcast.py").write_text(text, encoding="utf-8")
    checker("check", "broadcast.py", "-D", "workload=1,0,0", "-D", "crashes=1", "--sarif", "t.json", "--junit", "k.xml")
    results = sarif("t.json").results
    places = {result.locations[0].physical_location.artifact_location.uri for result in results}
    assert places == {"broadcast.py"} and results
    for name in ("s.json", "t.json", "j.xml", "k.xml"):
        written = Path(name).read_text(encoding="utf-8")
        assert "file:" not in written and str(ROOT) not in written


@pytest.mark.parametrize("where", ["env/lib/owned", "env/lib/python3.11/site-packages", "generated"])
def test_an_installed_or_ignored_file_below_the_root_is_no_place(
    checker: Any, write: Any, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """A property there is named in words; the place is the class of the model.  For an editor that shows a model there
    the line stays that of the property."""
    subprocess.run(["git", "init", "-q"], check=True)
    Path(where).mkdir(parents=True)
    write("env/pyvenv.cfg" if where == "env/lib/owned" else "env/other.cfg", "")
    write(".gitignore", "generated/\n")
    small = "class Small(Invariant):\n    def holds(self) -> bool:\n        return self.n < 2\n"
    text = "from checker.language import Int, Invariant, Model, action, require, var\n\n\nclass Up(Model):\n"
    text += "    n = var(Int(0, 3), 0)\n    properties = [Small]\n\n    @action\n    def up(self):\n"
    text += "        require(self.n < 3)\n        self.n += 1\n"
    write(f"{where}/smallness.py", f"from checker.language import Invariant\n\n\n{small}")
    monkeypatch.syspath_prepend(where)
    write("up.py", text.replace("\n\n\n", "\nfrom smallness import Small\n\n\n", 1))
    assert checker("check", "up.py", "--sarif", "s.json", "--junit", "j.xml").code == 1
    (result,) = sarif("s.json").results
    related = [r.physical_location for r in result.related_locations or ()]
    places = {r.artifact_location.uri for r in [result.locations[0].physical_location, *related]}
    assert places == {"up.py"} and where not in Path("j.xml").read_text(encoding="utf-8")
    write(f"{where}/all.py", text.replace("\n\n\n", f"\n\n\n{small}\n\n", 1))
    assert checker("check", f"{where}/all.py", "--lines", "l.txt", "--sarif", "t.json").code == 1
    line = line_of(f"{where}/all.py", "def holds")
    assert Path("l.txt").read_text(encoding="utf-8").startswith(f"{where}/all.py:{line}:")
    assert sarif("t.json").results[0].locations == []


def test_the_first_case_of_a_suite_has_the_time_of_its_search(checker: Any, lock: str) -> None:
    """So that the sum over all cases is right."""
    checker("check", lock, "--junit", "j.xml")
    (suite,) = JUnitXml.fromfile("j.xml")
    times = [case.time for case in suite]
    assert times[0] == suite.time > 0 and set(times[1:]) == {0.0}


def test_reports_are_about_what_is_not_expected(checker: Any, lock: str) -> None:
    """Careless says that it is broken, Hopeful does not; `--all` has both."""
    checker("verify", lock, "--out", "news")
    assert {f.parent.name for f in Path("news").glob("*/trace.itf.json")} == {"lock-Hopeful-alone"}
    checker("verify", lock, "--out", "all", "--all")
    folders = {f.parent.name for f in Path("all").glob("*/trace.itf.json")}
    assert {"lock-Hopeful-alone", "lock-Careless-alone"} <= folders


def test_a_path_is_a_valid_reference(checker: Any, write: Any, lock: str) -> None:
    """Blanks in the name of a file are written as URIs need them."""
    checker("check", f"{write('my lock.py', Path(lock).read_text())}:Careless", "--sarif", "s.json")
    assert sarif("s.json").results[0].locations[0].physical_location.artifact_location.uri == "my%20lock.py"


def test_a_model_that_is_wrong_as_written_is_an_error_of_its_suite(checker: Any, write: Any) -> None:
    """verify goes on behind a broken model, and the build file says what is wrong with it."""
    text = "from checker.language import Model, holds\n\n\nclass Empty(Model):\n    expect = holds()\n"
    assert checker("verify", write("empty.py", text), "--junit", "j.xml", "--sarif", "s.json").code == 2
    (suite,) = JUnitXml.fromfile("j.xml")
    assert suite.errors == 1 and "no state variables" in next(iter(suite)).result[0].message
    assert sarif("s.json").results[0].locations[0].physical_location.region.start_line == 4


def test_the_files_are_the_same_on_repetition_but_for_times(checker: Any, lock: str) -> None:
    """SARIF and Markdown hold no time at all."""
    for n in (1, 2):
        checker("verify", lock, "--sarif", f"{n}.json", "--markdown", f"{n}.md")
    assert Path("1.json").read_bytes() == Path("2.json").read_bytes()
    assert Path("1.md").read_bytes() == Path("2.md").read_bytes()


def test_the_summary_counts_and_shows_what_failed_only(checker: Any, lock: str) -> None:
    """A row for each model; a diagram for the one failure, none for the violation that is expected."""
    checker("verify", lock, "--markdown", "m.md")
    text = Path("m.md").read_text(encoding="utf-8")
    assert text.startswith("## 12 properties checked: 1 failed, 1 vacuous\n")
    assert "| passed | lock.py | 3 of 3 |" in text and "| **FAILED** | lock.py:Hopeful | 2 of 3 |" in text
    assert text.count("```mermaid") == 1 and text.count("| passed |") == 3 and text.count("| **FAILED** |") == 1
    assert text.count("<details>") == text.count("</details>") == 2


def test_a_file_that_cannot_be_written_is_told_before_the_search(checker: Any, lock: str) -> None:
    """The option is named."""
    ran = checker("check", lock, "--junit", "nowhere/j.xml")
    assert ran.code == 2 and "--junit nowhere/j.xml" in ran.err and "explored" not in ran.out


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800", "\uffff"])
def test_signs_that_xml_forbids_are_replaced(sign: str) -> None:
    """A trace may hold any string."""
    assert clean(f"a{sign}b") == "a\ufffdb"


def test_the_files_name_the_stored_run_if_there_is_one(checker: Any, lock: str) -> None:
    """With --out the command to replay it works as it stands there; without, the files say how to keep it, as code that
    Markdown can read."""
    kept = "checker replay out/lock-Careless-alone/trace.itf.json"
    checker("check", f"{lock}:Careless", "--out", "out", "--markdown", "kept.md", "--junit", "kept.xml")
    assert f"- replay: `{kept}`" in Path("kept.md").read_text() and kept in Path("kept.xml").read_text()
    checker("check", f"{lock}:Careless", "--markdown", "not.md", "--junit", "not.xml")
    assert "- replay: `` --out DIR keeps the run for `checker replay` ``" in Path("not.md").read_text()
    assert "checker replay trace.itf.json" not in Path("not.md").read_text() + Path("not.xml").read_text()


def test_one_form_alone_stands_on_standard_output(checker: Any, lock: str) -> None:
    """Whoever reads it reads nothing else; two of them there are refused before any search."""
    assert JUnitXml.fromstring(checker("check", lock, "--junit", "-").out.encode()).tests == 3
    assert checker("check", lock, "--markdown", "-").out.startswith("## 3 properties checked: all as expected\n")
    assert checker("verify", lock, "--markdown", "-").out.startswith("## ")
    for two in (("--json", "--markdown"), ("--junit", "--sarif")):
        ran = checker("check", lock, two[0], "-", two[1], "-")
        assert ran.code == 2 and f"{two[0]} and {two[1]} would go to standard output, one into the other" in ran.err


def test_a_claim_about_nothing_is_an_error_at_its_property(checker: Any, write: Any) -> None:
    """An empty domain in a property is told there, one in an action is the case "vacuity"."""
    text = """from checker.language import Int, Model, Set, action, const, invariant, require, var


class Empty(Model):
    rounds = const(0, "how many")
    n = var(Int(0, 1), 0)
    seen = var(Set[Int(0, 1)])

    @action
    def up(self):
        require(self.n == 0)
        for k in range(self.rounds):
            self.seen.add(k % 2)
        self.n = 1

    @invariant
    def nobody(self) -> bool:
        return not any(k > self.n for k in self.seen)

    @invariant
    def low(self) -> bool:
        return self.n < 2
"""
    assert checker("check", write("empty.py", text), "--strict", "--junit", "j.xml").code == 3
    (suite,) = JUnitXml.fromfile("j.xml")
    assert {c.name: [type(r) for r in c.result] for c in suite} == {"nobody": [Error], "low": [], "vacuity": [Error]}


COUNTED = '''
from checker.language import Int, Model, action, holds, invariant, require, var, violates


class Counted(Model):
    n = var(Int(0, 3), 0)

    @action
    def up(self):
        require(self.n < 2)
        self.n += 1

    @invariant
    def small(self):
        return self.n < 3

    expect = [
        holds(distinct=3),
        holds(
            distinct=3, depth=7,
        ),
        violates("small"),
    ]


class One(Counted):
    """The same, with a count of its own."""

    expect = holds(distinct=4)


class Made(Counted):
    """The same, with a count of its own."""

    expect = [holds(distinct=n) for n in (3, 4)]
'''


def test_a_wrong_count_is_placed_at_the_entry_that_states_it(checker: Any, write: Any) -> None:
    """Of a list the entry, not the class; so is a violation that is expected and gone. Of a list that is made, the
    statement."""
    path = write("counted.py", COUNTED)
    lines = COUNTED.splitlines()
    second = lines.index("        holds(") + 1
    third = lines.index('        violates("small"),') + 1
    one = lines.index("    expect = holds(distinct=4)") + 1
    made = lines.index("    expect = [holds(distinct=n) for n in (3, 4)]") + 1
    checker("verify", path, "--lines", "lines.txt", "--junit", "junit.xml")
    told = Path("lines.txt").read_text(encoding="utf-8").splitlines()
    assert [int(line.split(":")[1]) for line in told] == [second, third, one, made], told
    assert "depth" in told[0] and "small should be violated, but holds" in told[1]
    assert f'line="{second}"' in Path("junit.xml").read_text(encoding="utf-8")


EARLY = '''from checker.language import Ids, Int, Map, Model, action, invariant, quiescent, require, rule, var


class Queue(Model):
    Guest = Ids("g", 2)
    first = var(Int(0, 3), 0)
    served = var(Map[Guest, Int(0, 1)], 0)

    @rule
    def may_serve(self, g: Guest):
        return self.served[g] == 0

    @action
    def serve(self, g: Guest):
        require(self.may_serve(g))
        self.served[g] = 1

    @invariant
    def from_nought(self):
        return self.first == 0

    @quiescent
    def all_are_served(self):
        return all(self.served[g] == 1 for g in self.Guest)


class FromThree(Queue):
    """EDIT: begins elsewhere."""

    first = var(Int(0, 3), 3)


class OneOnly(Queue):
    """EDIT: the second is not served."""

    @rule
    def may_serve(self, g):
        return self.served[g] == 0 and g.index == 0
'''


@pytest.mark.parametrize(
    "edit, line", [("FromThree", "first = var(Int(0, 3), 3)"), ("OneOnly", "return self.served[g] == 0 and g.index")]
)
def test_a_cause_that_is_no_step_has_its_line_too(checker: Any, write: Any, edit: str, line: str) -> None:
    """The declaration that changes the initial state; the rule that keeps the protocol from going on."""
    path = write("queue_of_two.py", EARLY)
    checker("check", f"{path}:{edit}", "--sarif", "s.json", "--junit", "j.xml")
    result = next(r for r in sarif("s.json").results if r.level == "error")
    number = line_of(path, line)
    assert result.locations[0].physical_location.region.start_line == number
    assert f'line="{number}"' in Path("j.xml").read_text(encoding="utf-8")

"""An error in a file that is not the model's own: its name says which file, and every form the line that led there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from checker.analysis.check import Report, check
from checker.catalogue import in_file
from checker.language import multicast
from tests.cli.commands import Ran

MODEL = """
from checker.language import Network, Process, Record, Union, on, var
from checker.language.multicast import Message, Multicast


class Twice(Multicast):
    Wire = Union(Plain=Record(m=Message))
    net = var(Network[Process, Wire])

    def send(self, p, m):
        self.net.multicast(p, self.Wire.Plain(m))

    @on(net, Wire.Plain)
    def receive(self, p, q, m):
        self.twice(p, m)

    def twice(self, p, m):
        self.deliver(p, m)
        self.deliver(p, m)

    properties = []
"""
SECOND = MODEL.split("\n").index("        self.deliver(p, m)") + 2
"""The line of the call that overflows."""
APPEND = Path(multicast.__file__).read_text().split("\n").index("        self.delivered[p].append(m)") + 1
NAME = f"overflow (multicast.py:{APPEND})"


@pytest.fixture
def twice(write: Callable[[str, str], str]) -> str:
    """Its path."""
    write("twice.py", MODEL)
    return "twice.py"


def report(file: str, **how: object) -> Report:
    """Of one message to two processes."""
    return check(in_file(Path(file))[0].cls, file, {"workload": (1, 1)}, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_the_name_has_the_file_and_the_trace_the_line_of_the_model(twice: str, engine: str) -> None:
    """In both engines."""
    (found,) = [p for p in report(twice, engine=engine).properties if p.kind == "error"]
    assert found.name == NAME and found.trace is not None
    assert found.trace.property == "overflow"
    assert found.trace.steps[-1].note.endswith(f"(multicast.py:{APPEND}, called at twice.py:{SECOND})")


def test_the_name_does_not_depend_on_whether_a_trace_is_made(twice: str) -> None:
    """As in sweeps, which make none."""
    assert NAME in [p.name for p in report(twice, traces=False).properties]


def test_an_error_of_the_model_keeps_its_line_alone(write: Callable[[str, str], str]) -> None:
    """No file is named where there is only one."""
    write(
        "twice.py", MODEL.replace("        self.deliver(p, m)\n        self.deliver(p, m)", "        self.sent[p] = 9")
    )
    assert [p.name for p in report("twice.py").properties] == [f"out of range (line {SECOND - 1})"]


def test_build_files_point_at_the_line_of_the_model(twice: str, checker: Callable[..., Ran]) -> None:
    """JUnit and SARIF: a reviewer is led to the call, not into the library; JSON has the name."""
    ran = checker("check", twice, "-D", "workload=1,1", "--junit", "j.xml", "--sarif", "s.json", "--json", "c.json")
    assert ran.code == 1 and NAME in ran.out
    case = next(c for c in ElementTree.parse("j.xml").iter("testcase") if c.get("name") == NAME)
    assert (case.get("file"), case.get("line")) == ("twice.py", str(SECOND))
    (result,) = json.loads(Path("s.json").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("twice.py", SECOND)
    assert [p["name"] for p in json.loads(Path("c.json").read_text())["properties"]] == [NAME]


def test_stored_runs_are_confirmed_with_the_old_note_and_the_new_one(twice: str, checker: Callable[..., Ran]) -> None:
    """What is stored calls the failure by its name alone; notes are for readers."""
    checker("check", twice, "-D", "workload=1,1", "--out", "out")
    (file,) = Path("out").rglob("trace.itf.json")
    assert checker("replay", str(file)).out.startswith("CONFIRMED")
    old = file.read_text().replace(f", called at twice.py:{SECOND}", "")
    assert old != file.read_text()
    Path("old.itf.json").write_text(old)
    assert checker("replay", "old.itf.json").out.startswith("CONFIRMED")

"""What build servers read, held against the published schemas: SARIF 2.1.0, and the schema of Jenkins for JUnit
results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import jsonschema
import pytest
import xmlschema

SCHEMAS = Path(__file__).parent / "schemas"
EXTENSIONS = {"testcase": ("file", "line"), "skipped": ("message",)}  # pytest writes them too; GitLab links to the file
EMPTY = "from checker.language import Model, holds\n\n\nclass Empty(Model):\n    expect = holds()\n"
RUNS = {
    "violated": (1, "check", "lock.py:Careless"),
    "every violation": (1, "check", "lock.py:Careless", "--all", "--coverage"),
    "cut short": (4, "check", "lock.py", "-D", "clients=3", "--max-depth", "1"),
    "vacuous": (3, "check", "fifo_multicast", "-D", "workload=0,1", "--strict"),
    "a property of the library": (1, "check", "isis:DeliverAnyFinal"),
    "expectations": (1, "verify", "lock.py"),
    "wrong as written": (2, "verify", "empty.py"),
    "whole runs": (1, "check", "consensus:EventuallyDecides", "--property", "Decision"),
}


def sarif_errors(data: Any) -> list[str]:
    """What the schema has against a SARIF log."""
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    return [
        f"{error.json_path}: {error.message}" for error in jsonschema.Draft202012Validator(schema).iter_errors(data)
    ]


def junit_errors(text: str) -> list[str]:
    """What the schema has against JUnit results, the known extensions left out."""
    root = xml.fromstring(text)
    for tag, names in EXTENSIONS.items():
        for element in root.iter(tag):
            for name in names:
                element.attrib.pop(name, None)
    return [str(error.reason) for error in xmlschema.XMLSchema(SCHEMAS / "junit-4.xsd").iter_errors(root)]


@pytest.mark.parametrize("name", RUNS)
def test_what_is_written_is_what_the_schemas_admit(checker: Any, lock: str, write: Any, name: str) -> None:
    """For every kind of result, with traces and without."""
    write("empty.py", EMPTY)
    code, *command = RUNS[name]
    assert checker(*map(str, command), "--sarif", "s.json", "--junit", "j.xml").code == code
    assert sarif_errors(json.loads(Path("s.json").read_text(encoding="utf-8"))) == []
    assert junit_errors(Path("j.xml").read_text(encoding="utf-8")) == []


def test_the_schemas_refuse_what_is_wrong(checker: Any, lock: str) -> None:
    """A misspelt member, a step without its place in the order, a case outside a suite."""
    checker("check", "lock.py:Careless", "--sarif", "s.json", "--junit", "j.xml")
    log = json.loads(Path("s.json").read_text(encoding="utf-8"))
    log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"][0]["importance"] = "high"
    log["runs"][0]["result"] = []
    assert [error.partition(":")[0].rsplit(".", 1)[-1] for error in sarif_errors(log)] == ["runs[0]", "importance"]
    assert junit_errors(Path("j.xml").read_text(encoding="utf-8").replace("testcase", "case")) != []

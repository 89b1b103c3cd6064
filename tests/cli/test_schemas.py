"""What `--json` writes is what docs/schemas/ says, for every command that has the option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource

from checker.cli.commands import TABLE, command

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "schemas"
SCHEMAS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.json")}
REGISTRY: Any = Registry().with_resources(
    (schema["$id"], Resource.from_contents(schema)) for schema in SCHEMAS.values()
)
KEPT = "kept/trace.itf.json"
ARGUMENTS: dict[str, list[str]] = {
    "check": ["lock.py:Careless", "--coverage", "--profile", "--out", "out"],
    "check of several": ["lock.py", "lock.py:Careless"],
    "check, ended by a limit": ["lock.py", "-D", "clients=3", "--max-depth", "1"],
    "compare": ["lock.py:Careless"],
    "explain": [KEPT],
    "find": ["lock.py", "True"],
    "find nothing": ["lock.py", "False"],
    "list": ["lock.py"],
    "outcomes": ["broadcast.py", "-D", "workload=1,0,0"],
    "latency": ["broadcast.py", "-D", "workload=1,0,0"],
    "prove": ["lock.py"],
    "replay": [KEPT, "--group"],
    "rules": ["lock.py", "lock.py:Careless"],
    "show": [KEPT],
    "simulate": ["lock.py:Careless"],
    "sweep": ["lock.py", "-D", "clients=2..3"],
    "verify": ["lock.py", "--strict"],
}
KEPT_SEARCH = {
    "inspect": [],
    "query": ["SELECT level, count(*) AS states, 1.5 AS half FROM states GROUP BY level"],
    "resume": [],
}
"""Commands about a search that was kept, and their other arguments."""
ELSEWHERE = {"gallery": "the shipped models"}


def validator(name: str) -> jsonschema.Draft202012Validator:
    """Of the schema of a command."""
    return jsonschema.Draft202012Validator(SCHEMAS[name], registry=REGISTRY)


def described(name: str) -> set[str]:
    """The names at the top of an output that the schema of a command has."""
    schema = SCHEMAS[name]
    parts = [schema, *schema.get("anyOf", [])]
    found = [SCHEMAS["common"]["$defs"][p["$ref"].rsplit("/", 1)[-1]] if "$ref" in p else p for p in parts]
    return {key for part in found for key in part.get("properties", {})}


@pytest.fixture
def files(checker: Any, lock: str) -> None:
    """Models, and the trace of a violation."""
    example = FOLDER.parent / "examples" / "broadcast.py"
    Path("broadcast.py").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    checker("check", "lock.py:Careless", "--out", "kept")
    (trace,) = Path("kept").glob("*-alone/trace.itf.json")
    trace.rename(KEPT)


@pytest.mark.parametrize("case", ARGUMENTS)
def test_what_a_command_writes_is_what_its_schema_says(case: str, checker: Any, files: None) -> None:
    """Names, types and values; each name at the top is described, and the version stands there."""
    name = case.replace(",", "").split()[0]
    checker(name, *ARGUMENTS[case], "--json", "out.json")
    data = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)] == []
    assert set(data) - described(name) <= {"loop"} and data["schema_version"] == 1 and "error" not in data


@pytest.mark.parametrize("name", KEPT_SEARCH)
def test_what_is_said_of_a_kept_search_is_what_its_schema_says(name: str, checker: Any, files: None) -> None:
    """Of a search that a limit has ended."""
    if name == "query":
        pytest.importorskip("duckdb")
    checker("check", "lock.py", "--workdir", "work", "--max-depth", "2")
    checker(name, "work", *KEPT_SEARCH[name], "--json", "out.json")
    data = json.loads(Path("out.json").read_text(encoding="utf-8"))
    schema = "check" if name == "resume" else name
    assert [f"{error.json_path}: {error.message}" for error in validator(schema).iter_errors(data)] == []
    assert set(data) <= described(schema) and data["schema_version"] == 1 and "error" not in data


def test_what_went_wrong_has_a_schema_too(checker: Any, here: Any) -> None:
    """A model that is not there."""
    assert checker("check", "none.py", "--json", "out.json").code == 2
    assert list(validator("error").iter_errors(json.loads(Path("out.json").read_text(encoding="utf-8")))) == []


def test_each_command_with_the_option_has_a_schema() -> None:
    """And a case above, but those that need more than a file of a model."""
    having = {n for n in TABLE if any("--json" in p.opts for p in command(n).params)}
    assert having == {case.replace(",", "").split()[0] for case in ARGUMENTS} | set(KEPT_SEARCH) | set(ELSEWHERE)
    assert having - {"resume"} == set(SCHEMAS) - {"common", "error"}


def test_the_schemas_are_schemas_and_refuse_what_is_wrong(checker: Any, lock: str) -> None:
    """Of a check: without its verdict, with a verdict that there is none of, with text for a number."""
    for schema in SCHEMAS.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    right = checker("check", lock, "--json", "-").json()
    assert validator("check").is_valid(right)
    for wrong in (
        {name: value for name, value in right.items() if name != "verdict"},
        {**right, "verdict": "good"},
        {**right, "distinct": "12"},
        {**right, "schema_version": 2},
        {**right, "properties": [{**right["properties"][0], "verdict": "maybe"}]},
    ):
        assert not validator("check").is_valid(wrong)

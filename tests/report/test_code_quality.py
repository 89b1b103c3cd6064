"""The report that GitLab shows in the changes of a merge request: each failure once, at a line of the repository."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ISSUE = {
    "type": "object",
    "properties": {
        "description": {"type": "string", "minLength": 1},
        "check_name": {"type": "string", "minLength": 1},
        "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
        "location": {
            "type": "object",
            "properties": {
                "path": {"type": "string", "pattern": "^[^/]"},
                "lines": {
                    "type": "object",
                    "properties": {"begin": {"type": "integer", "minimum": 1}},
                    "required": ["begin"],
                },
            },
            "required": ["path", "lines"],
        },
    },
    "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "additionalProperties": False,
}
"""What GitLab's page on code quality asks of each issue."""


def issues(path: str = "q.json") -> list[dict[str, Any]]:
    """What the file holds, as GitLab wants it."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    jsonschema.validate(found, {"type": "array", "items": ISSUE})
    assert len({issue["fingerprint"] for issue in found}) == len(found)
    return list(found)


@pytest.mark.parametrize(
    ("command", "code", "severities"),
    [
        (("check", "lock.py:Careless"), 1, ["critical"]),
        (("check", "lock.py", "-D", "clients=3", "--max-depth", "1"), 4, ["minor"]),
        (("check", "lock.py"), 0, []),
        (("verify", "lock.py"), 1, ["critical", "minor"]),  # Hopeful edits nothing
        (("verify", "nowhere.py"), 2, ["critical"]),
    ],
)
def test_each_failure_is_an_issue(
    checker: Any, lock: str, command: tuple[str, ...], code: int, severities: list[str]
) -> None:
    """Something wrong is critical, something undecided minor; an error that ends the command has no line."""
    assert checker(*command, "--code-quality", "q.json").code == code
    assert sorted({issue["severity"] for issue in issues()}) == severities
    if command[1] == "lock.py:Careless":
        (issue,) = issues()
        text = Path("lock.py").read_text(encoding="utf-8").splitlines()[issue["location"]["lines"]["begin"] - 1]
        assert issue["location"]["path"].endswith("lock.py") and text.strip() and "take(c2)" in issue["description"]


def test_an_issue_has_one_identity_in_every_run(lock: str) -> None:
    """So that GitLab tells new ones from those of the target branch, also where the line moves."""
    for name in ("a.json", "b.json"):  # a process each: a module is read once
        command = [sys.executable, "-m", "checker.cli.program", "check", "lock.py:Careless", "--code-quality", name]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 1
        Path("lock.py").write_text("\n\n" + Path("lock.py").read_text(encoding="utf-8"), encoding="utf-8")
    one, other = issues("a.json"), issues("b.json")
    assert [i["fingerprint"] for i in one] == [i["fingerprint"] for i in other]
    assert one[0]["location"]["lines"]["begin"] + 2 == other[0]["location"]["lines"]["begin"]

"""docs/ci.md and docs/editors.md against the command line: every command in them exists with the options it is given;
and the files that the action and the job publish are those that their command writes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from checker.cli import commands

ROOT = Path(__file__).resolve().parents[2]
TEXT = "\n".join((ROOT / "docs" / page).read_text(encoding="utf-8") for page in ("ci.md", "editors.md"))
COMMANDS = sorted({m[1] for m in re.finditer(r"(?:^|entry: |`)(checker [a-z]+ [^`\n#]*)", TEXT, re.MULTILINE)})


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_is_one_of_the_command_line(line: str) -> None:
    """Parsed, not run."""
    words = shlex.split(line)
    command = commands.command(words[1])
    context = command.make_context(words[1], words[2:])
    assert context.params


def test_the_page_has_commands() -> None:
    """The pattern above finds them."""
    assert len(COMMANDS) >= 8 and "checker verify --since HEAD --allow-removed --max-seconds 20" in COMMANDS


@pytest.mark.parametrize(
    ("file", "read"),
    [
        (".ci/action/action.yml", ["comment.md", "summary.md", "result.sarif"]),
        (".ci/gitlab.yml", ["comment.md", "junit.xml"]),
    ],
)
def test_what_a_job_publishes_is_what_its_command_writes(file: str, read: list[str]) -> None:
    """Each file that a later step reads is named by an option of verify, and each option is one of the command's."""
    text = (ROOT / file).read_text(encoding="utf-8")
    written = re.findall(r"(--[\w-]+) checker-report/([\w.]+)", text)
    assert {name for _, name in written} >= set(read) and all(text.count(f"checker-report/{name}") > 1 for name in read)
    options = {option for parameter in commands.command("verify").params for option in parameter.opts}
    assert {option for option, _ in written} <= options
    assert "--out checker-report" in text and "--link" in text and "--since" in text


def test_the_changes_have_a_group_for_each_area() -> None:
    """A merge that cuts off the list is found: it is the only page whose end nothing else needs."""
    changes = (ROOT / "docs" / "CHANGELOG.md").read_text(encoding="utf-8")
    groups = re.findall(r"^### (.*)", changes, re.MULTILINE)
    assert groups[0] == "Language" and groups[-1] == "Benchmarks and documentation" and len(groups) >= 13

"""docs/ci.md against the command line: every command in it exists with the options it is given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from checker.cli import commands

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")
COMMANDS = sorted({m[1] for m in re.finditer(r"(?:^|bin/|`)(checker [a-z]+ [^`\n#]*)", TEXT, re.MULTILINE)})


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_is_one_of_the_command_line(line: str) -> None:
    """Parsed, not run; $SINCE stands for an option that the page explains."""
    words = shlex.split(line.replace("$SINCE", "--since origin/main"))
    command = commands.command(words[1])
    context = command.make_context(words[1], words[2:])
    assert context.params


def test_the_page_has_commands() -> None:
    """The pattern above finds them."""
    assert len(COMMANDS) >= 6 and any("--junit junit.xml --sarif result.sarif" in c for c in COMMANDS)


def test_what_a_job_publishes_is_what_its_command_writes() -> None:
    """Each file that a later step reads is named by an option of verify."""
    github, gitlab = (TEXT[TEXT.index(head) :].partition("\n## ")[0] for head in ("## GitHub", "## GitLab"))
    for job, files in (
        (github, ["report", "junit.xml", "result.sarif", "summary.md"]),
        (gitlab, ["report", "junit.xml", "summary.md"]),
    ):
        line = next(x for x in job.splitlines() if "checker verify $SINCE" in x)
        assert set(files) <= set(line.split()) and all(job.count(f) >= 2 for f in files)

"""What `--help` says is part of the product: a change of it is meant, and stands in CHANGELOG.md."""

from __future__ import annotations

from tests.command_line.help_texts import FILE, help_texts


def test_the_help_of_every_command_is_as_stored() -> None:
    """`python -m tests.command_line.help_texts` accepts a change that is meant."""
    assert help_texts() == FILE.read_text(encoding="utf-8")

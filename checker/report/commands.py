"""Commands that make the pictures of a run again, as a reader types them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from checker.language.constants import written
from checker.results.checked import FAILURES


def picture_command(reference: str, constants: Mapping[str, Any], kind: str, property: str) -> str:
    """How to get the pictures of a violation; an error of the model belongs to no property that an option could
    name."""
    asked = [] if kind in FAILURES else ["--property", property]
    return shlex.join(["checker", "check", reference, *_given(constants), *asked, "--out", "report"])


def compare_command(reference: str, constants: Mapping[str, Any]) -> str:
    """How to compare an edit with its base."""
    return shlex.join(["checker", "compare", reference, *_given(constants)])


def change_command(reference: str, constants: Mapping[str, Any], revision: str, compared: bool) -> str:
    """How to get the pictures of what a change since a revision does: of a comparison (without a revision with the
    model that is edited), or of what is not as stated.
    """
    asked = ["compare", reference, *_given(constants)] if compared else ["verify", reference]
    since = [] if not revision else ["--against" if compared else "--since", revision]
    return shlex.join(["checker", *asked, *since, "--out", "report"])


def _given(constants: Mapping[str, Any]) -> list[str]:
    return [word for name, value in constants.items() for word in ("-D", f"{name}={written(value)}")]

"""A name that the language has: a refusal says which names are taken, and how the language's own is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.commands import Ran

MODEL = '''"""A flag."""

from checker.language import Bool, Distributed, Process, action, invariant, rule, var


class Flag(Distributed):
    """It is put up."""

    up = var(Bool, False)

    @action
    def put(self, p: Process):
        self.up = CONDITION

    @rule
    def NAME(self, p: Process) -> bool:
        return p.index > 1

    @invariant
    def nothing(self) -> bool:
        """Nothing is wrong."""
        return not self.up or self.up
'''


@pytest.mark.parametrize(
    "name, condition, message, remedy",
    [
        ("late", "self.late(p)", None, None),
        (
            "lost",
            "self.lost(p)",
            "Flag.lost: a variable of Distributed is overridden by something else",
            "Choose another name. Its variables: crashed, lost, duplicated, apart, splits.",
        ),
        (
            "late",
            "self.index(p) > 1",
            "the model has no index",
            "Write k.index: the place of k among the members of its type, from 0.",
        ),
    ],
)
def test_the_remedy_names_what_the_language_has(
    checker: Callable[..., Ran],
    write: Callable[[str, str], str],
    name: str,
    condition: str,
    message: str | None,
    remedy: str | None,
) -> None:
    """Without such a name the model is accepted."""
    text = MODEL.replace("NAME", name).replace("CONDITION", condition)
    ran = checker("check", write("flag.py", text), "--json", "-")
    error = ran.json().get("error")
    if message is None or remedy is None:
        assert error is None and ran.code == 0
        return
    assert ran.code == 2 and message in error["message"] and error["remedy"] == remedy

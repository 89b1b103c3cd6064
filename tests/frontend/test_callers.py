"""A refused fragment whose types come from an argument names the call that gives it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from checker.frontend.lower import lower
from checker.frontend.refusal import Refused
from checker.language.define import define

MODEL = """\
from checker.language import Bool, Int, Model, Record, action, rule, var

class Refusing(Model):
    Stamp = Record(n=Int(0, 2))
    s = var(Stamp, (0,))
    a = var(Int(0, 2), 0)
    @action
    def go(self):
        {call}
    @rule
    def outer(self, x):
        y = x
        return self.inner(y, 1)
    @rule
    def inner(self, z, k: Int(0, 2)):
        return {returned}
    def become(self, v):
        self.a = v
"""


@pytest.mark.parametrize(
    ("call", "returned", "said"),
    [
        ("self.a = 1 if self.inner(self.s, 0) else 0", "z < self.a", ["go calls inner with z: Stamp (called.py:9)"]),
        (
            "self.a = 1 if self.outer(self.s) else 0",
            "z < self.a",
            ["outer calls inner with z: Stamp (called.py:13)", "go calls outer with x: Stamp (called.py:9)"],
        ),
        ("self.become(self.s)", "True", ["go calls become with v: Stamp (called.py:9)"]),
        ("self.a = 1 if self.inner(1, 0) else 0", "k < self.s", []),
        ("self.a = 1 if self.inner(1, 0) else 0", "self.a < self.s", []),
    ],
    ids=["function", "two calls", "procedure", "annotated", "no parameter"],
)
def test_the_calls_that_decide_are_named(
    call: str, returned: str, said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the innermost call outwards, as long as a parameter without annotation takes its type from the argument."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "called.py"
    file.write_text(MODEL.format(call=call, returned=returned))
    spec = importlib.util.spec_from_file_location(f"called_{hash((call, returned))}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(Refused) as caught:
        lower(define(module.Refusing))
    assert caught.value.message.split(", where ")[1:] == said

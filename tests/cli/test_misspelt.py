"""A misspelt rule stands before the answer of every command that says something of a model, and its exit code is not
that of an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

EDIT = """
from checker.language import rule
from checker.models.causal_vector_clock import CausalVectorClock

class Misspelt(CausalVectorClock):
    \"\"\"EDIT: deliver without the past.\"\"\"

    @rule
    def past_deliverd(self, q, m):
        return True
"""
WARNING = "warning  past_deliverd (edit.py:9) overrides nothing and nothing calls it, so Misspelt changes nothing there"
COMMANDS = {
    "check": ("check", "edit.py"),
    "find": ("find", "edit.py", "len(delivered[p1]) == 1"),
    "outcomes": ("outcomes", "edit.py"),
    "simulate": ("simulate", "edit.py", "--runs", "1"),
    "latency": ("latency", "edit.py"),
    "prove": ("prove", "edit.py", "--bounded", "--depth", "0", "--property", "CausalOrder", "--vacuity", "0"),
    "rules": ("rules", "causal_vector_clock", "edit.py"),
}
SMALL = ("-D", "workload=1,0")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_misspelt_rule_stands_before_every_answer(
    name: str, checker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "edit.py").write_text(EDIT)
    ran = checker(*COMMANDS[name], *SMALL)
    assert ran.out.startswith(WARNING), ran.out[:300]
    assert ran.out.count("overrides nothing") == 1
    assert ran.code in ((3, 4) if name in ("prove", "simulate") else (3,)), "or worse: these decide nothing here"

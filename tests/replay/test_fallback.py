"""Which of the rules that a rule asks was preferred to the one that gave its value: one that had none itself."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from checker.replay.executed import Done
from checker.replay.fallback import failing, preferred
from checker.trace.values import FrozenMap, Multiset

RULE, EARLY, ENOUGH, DEFAULT = ast.parse("def rule(): 0\ndef early(): 0\ndef enough(): 0\ndef default(): 0").body


def asked(node: ast.stmt, result: Any, asker: ast.stmt | None = None, shown: str = "") -> Done:
    """The call of a rule, with its value; shown: as reports show it."""
    return Done(node, "", str(result), False, ("m.py", 1), result=result, shown=shown, asker=asker)


@pytest.mark.parametrize("nothing", [frozenset(), (), FrozenMap(), Multiset(), None, False])
def test_a_rule_without_a_value_was_preferred(nothing: Any) -> None:
    """The default is taken where the rule asked before it is empty, None or false."""
    early, default = asked(EARLY, nothing, RULE), asked(DEFAULT, "m1", RULE)
    before = [asked(RULE, "m1"), early, default]
    assert preferred(before, default) is early


@pytest.mark.parametrize("something, shown", [("none", "none"), ("false", "false"), ("{}", "{}"), (0, "0")])
def test_a_value_that_only_looks_like_none_is_a_value(something: Any, shown: str) -> None:
    """A member of an enumeration may have the name none."""
    default = asked(DEFAULT, "m1", RULE)
    assert preferred([asked(RULE, "m1"), asked(EARLY, something, RULE, shown), default], default) is None


def test_the_rule_that_was_false_is_the_reason_why_there_was_no_value() -> None:
    """Not the one whose value is called false."""
    early, false, default = asked(EARLY, frozenset(), RULE), asked(ENOUGH, False, EARLY), asked(DEFAULT, "m1", RULE)
    assert failing([asked(RULE, "m1"), early, false, default], default) is false
    named = asked(ENOUGH, "false", EARLY, "false")
    assert failing([asked(RULE, "m1"), early, named, default], default) is None

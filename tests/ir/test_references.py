"""What a body names: calls renamed wherever they stand."""

from __future__ import annotations

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.references import with_calls_renamed

BOOL = t.Bool()


def test_a_call_is_renamed_wherever_it_stands() -> None:
    """Beside other parts, in the arguments of another call, in a statement; what has no calls is the same object."""
    call, other = e.Call(BOOL, "ready", ()), e.Local(BOOL, "x")
    renamed = e.Call(BOOL, "ready.2", ())

    def rename(item: object) -> object:
        return with_calls_renamed(item, lambda name: f"{name}.2")

    assert rename(e.Compare(BOOL, "==", other, call)) == e.Compare(BOOL, "==", other, renamed)
    assert rename(e.Call(BOOL, "both", (other, call))) == e.Call(BOOL, "both.2", (other, renamed))
    assert rename(s.Assign(3, other, e.Not(BOOL, call))) == s.Assign(3, other, e.Not(BOOL, renamed))
    assert rename(other) is other

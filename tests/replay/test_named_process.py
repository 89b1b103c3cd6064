"""The reasons why something does not happen are about the process that the sentence names, also where the property
ranges over messages alone."""

from __future__ import annotations

from typing import Any

IGNORES = '''
from checker.models.sequencer import StartAtMinusOne


class Ignores(StartAtMinusOne):
    """EDIT: an announcement that comes before its message is ignored."""

    def numbered(self, p, q, m, number):
        if m in self.held[p]:
            self.order[p][m] = number
            self.serve(p)
'''


def test_a_property_of_messages_has_reasons_about_the_sender_that_it_names(checker: Any, write: Any) -> None:
    """It lacks its own message; the test with which it ignored the number is a reason, and what is in flight to it."""
    found = checker("check", write("edit.py", IGNORES), "-D", "workload=0,1", "--property", "Validity", "--json", "-")
    (validity,) = found.json()["properties"]
    blocked = validity["trace"]["#meta"]["blocked"] if "#meta" in validity["trace"] else validity["trace"]["blocked"]
    assert "p2 is correct and never delivers its own message m2.1." in str(validity["trace"])
    assert any(text.startswith("nothing in flight to p2 for: ") for text in blocked)
    ignored = [text for text in blocked if " finds m2.1 is not in held[p2] = {} (edit.py:" in text]
    assert len(ignored) == 1 and ignored[0].startswith("numbered(p2, p1, m2.1, ")

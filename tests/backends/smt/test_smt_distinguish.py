"""States that tell two functions apart are made plain.

The smallest have as few parts as possible that are not the first of their type.
"""

from __future__ import annotations

from itertools import product

from checker.backends.smt.distinguish import Subject, distinguish
from checker.frontend.lower import lower
from checker.language import Int, Model, invariant, var
from checker.language.define import define


class Apart(Model):
    """Two statements that differ where a is not 0, or b and c both are not."""

    a = var(Int(0, 2), 0)
    b = var(Int(0, 2), 0)
    c = var(Int(0, 2), 0)

    @invariant
    def always(self) -> bool:
        return True

    @invariant
    def rarely(self) -> bool:
        return self.a == 0 and (self.b == 0 or self.c == 0)


def test_the_smallest_example_has_the_fewest_parts_that_are_not_the_first_of_their_type() -> None:
    """Part by part, a is made 0 first, and then neither b nor c can be.

    Of all states that tell the statements apart, those with a alone have the fewest such parts.
    """
    model = lower(define(Apart), any_state=True)
    subjects = [Subject(model, model.function(p.function)) for p in model.properties]
    names = ("a", "b", "c")
    telling = [state for state in product(range(3), repeat=3) if not (state[0] == 0 and 0 in state[1:])]
    fewest = min(sum(n != 0 for n in state) for state in telling)
    for smallest, parts in ((False, 2), (True, fewest)):
        found = distinguish(subjects[0], subjects[1], names, smallest=smallest)
        (example,) = found.examples
        state = tuple(example.state[n] for n in names)
        assert found.relation == "stronger" and state in telling
        assert sum(n != 0 for n in state) == parts
    assert fewest == 1

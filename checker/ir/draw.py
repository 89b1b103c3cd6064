"""Random raw values of a type, for comparisons in states that need not be reachable.  A generator in the same state
draws the same values.
"""

from __future__ import annotations

from random import Random

from checker.ir import types as t
from checker.ir.values import Raw, key, values


def drawn(kind: t.Type, random: Random, most: int = 3) -> Raw:
    """A value of a type; a bag or sequence has at most the given number of items."""
    match kind:
        case t.Int(lo, hi):
            return random.randint(lo, hi)
        case t.Optional(item):
            return None if random.random() < 0.3 else drawn(item, random, most)
        case t.Record(_, fields):
            return tuple(drawn(f, random, most) for _, f in fields)
        case t.Union(_, variants):
            number = random.randrange(len(variants))
            return (number, drawn(variants[number], random, most))
        case t.Map(place, value):
            return tuple(drawn(value, random, most) for _ in values(place))
        case t.Set(item):
            return frozenset(r for r in values(item) if random.random() < 0.4)
        case t.Seq(item, longest, _):
            return tuple(drawn(item, random, most) for _ in range(random.randint(0, min(longest, most))))
        case t.Bag(item, longest, _):
            items = drawn(t.Seq(item, longest), random, most)
            return tuple(sorted(items, key=lambda r: key(item, r)))
        case _:
            return random.choice(list(values(kind)))

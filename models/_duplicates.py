"""Room for what duplicates add: a log that takes a message twice, and how many numbers more a counter may come to.

A budget of duplicates says how many copies the network adds to those that are sent.  Each lets at most one handler run
once more, so at most one message more is delivered and one number more given at each process.  Without duplicates no
type is wider than it need be; with one or two the types are the same, so that what holds with two is known to hold with
one (docs/semantics.md, Sweeps).
"""

from __future__ import annotations

from checker.language import Map, Process, Seq, derived, var
from checker.language.multicast import Message, Multicast

spare = derived(lambda c: max(2, c.duplicates) if c.duplicates else 0)


class _Duplicated(Multicast):
    """The frame of a multicast protocol that does not recognize duplicates."""

    delivered = var(
        Map[
            Process,
            Seq[Message, derived(lambda c: sum(c.workload) + 1 + (max(2, c.duplicates) if c.duplicates else 0))],
        ],
        kept=True,
    )

"""What a comparison left undecided when its time ran out, and smaller constants that need less time.

The suggestion is one message less, or one fault less: the next smaller configuration that both models accept.  It may
still need too much time.  Where something still grew when the time ran out, neither is suggested: what grows may grow
without end in each configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from checker.bound import Bound
from checker.language.define import define
from checker.language.distributed import BUDGETS
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.base import shared_constants
from checker.results.comparison import Comparison
from checker.wording import counted

COUNTS = ("workload",)


def left_open(
    c: Comparison, classes: tuple[type[Model], type[Model]], delays_cut: bool, interrupted: Sequence[str] = ()
) -> str:
    """The parts that were not decided in their time, with the option or constants that would decide them; "" if all
    were.  delays_cut: delays over all runs were requested, and were not known in time.  interrupted: the parts that
    were not compared because of Ctrl-C.
    """
    if interrupted:
        return f"{', '.join(interrupted)}: the comparison was interrupted before"
    parts = ", ".join(_parts(c, delays_cut))
    if not parts:
        return ""
    if any(r.growing is not None for r in (c.base, c.edit)):  # each configuration may be without end
        return f"{parts}: more seconds may never decide it, while something grows without a bound"
    constants = smaller(classes, c.constants)
    less = f", or smaller constants, for example {constants}" if constants else ""
    return f"{parts}: more seconds decide it{less}"


def _parts(c: Comparison, delays_cut: bool) -> Iterator[str]:
    """What was left open, each with the option that gives it more time."""
    late = ((side, r.distinct) for side, r in ((c.before, c.base), (c.after, c.edit)) if r.bound is Bound.SECONDS)
    cut = [f"of {side} beyond its first {counted(found, 'state')}" for side, found in late]
    if cut:
        yield f"verdicts and outcomes {' and '.join(cut)} (--max-seconds)"
    rules = [r.name for r in c.rules if r.relation == "undecided"]
    looked_for = [r.name for r in c.rules if r.so_far]
    if looked_for:
        yield f"whether {', '.join(looked_for)} differ{'s' * (len(looked_for) == 1)} in a reachable state (--rules)"
    if rules:
        yield f"{', '.join(rules)} over all states (--rules)"
    if c.steps is not None and not c.steps.complete and None in (c.steps.added, c.steps.removed):
        yield f"steps beyond the first {counted(c.steps.states, 'state')} (--steps)"
    found = c.behaviours
    begun = found is not None and (found.unexplored or any(found.states))
    if found is not None and begun and not found.complete and None in (found.added, found.removed):
        yield "sequences of events (--events)"
    if delays_cut:
        yield "delays over all runs (--delays)"


def smaller(classes: tuple[type[Model], type[Model]], constants: Mapping[str, Any]) -> str:
    """Options for the next smaller configuration that both models accept; "" if there is none."""
    for name, value in _smaller(constants):
        changed = {**constants, name: value}
        try:
            for cls in classes:
                define(cls, shared_constants(cls, changed))
        except UsageError:
            continue
        return f"-D {name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
    return ""


def _smaller(constants: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in COUNTS:
        value = constants.get(name)
        if isinstance(value, tuple) and sum(value) > 1:
            place = max(range(len(value)), key=lambda i: (value[i], i))
            yield name, (*value[:place], value[place] - 1, *value[place + 1 :])
    for name in BUDGETS:
        if isinstance(constants.get(name), int) and constants[name] > 0:
            yield name, constants[name] - 1

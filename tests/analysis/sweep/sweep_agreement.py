"""What `checker sweep --implied` may say, given what a sweep that searches every configuration to its end found.

A verdict that it gives is that of the search.  Steps, where it gives any, are those of the search, and so are numbers
of states that were read off.  It may leave open what a limit kept it from deciding.  What goes wrong that is no
property, an assertion or an error, it may leave out where a search ended at a limit or at its first violation before it
came to that; but then the row is not called right if it is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from checker.results.sweep import Judged, Row, Sweep

HOLDS = ("holds", "untested", "implied", "reachable")
BROKEN = ("violated", "unreachable")


@frozen
class Way:
    """How a sweep is asked for.  whole: each search goes on to its end, so nothing is left open."""

    name: str
    stop_at_first: bool = False
    strict: bool = False
    max_states: int | None = None
    max_depth: int | None = None

    @property
    def whole(self) -> bool:
        """Whether nothing ends a search."""
        return not self.stop_at_first and self.max_states is None and self.max_depth is None


def contradictions(searched: Sweep, found: Sweep, way: Way, watched: bool) -> list[str]:
    """What the second says that the first, in which every configuration was searched to its end for all properties,
    does not.

    watched: properties have variables, so that states are counted otherwise where not all properties are checked.
    """
    met = {p.name for row in found.rows for p in row.properties} | {row.verdict for row in found.rows}
    return [
        f"{one.configuration.label}: {text}"
        for one, other in zip(searched.rows, found.rows)
        for text in _of_row(one, other, way, watched, met)
    ]


def _of_row(one: Row, other: Row, way: Way, watched: bool, met: set[str]) -> list[str]:
    """met: all names and verdicts of the sweep; what no search of it came to is not known."""
    if "error" in (one.verdict, other.verdict):
        # what is asked of whole runs comes after the search
        unmet = one.verdict == "error" and (not way.whole or "error" not in met) and other.exit_code != 0
        return (
            []
            if one.verdict == other.verdict or unmet
            else [f"{one.verdict} ({one.note}), but {other.verdict} ({other.note})"]
        )
    texts = []
    known, said = ({p.name: p for p in row.properties} for row in (one, other))
    for name in {**known, **said}:
        if name not in said:
            if way.whole and name in met:
                texts.append(f"{name} is left out, but {known[name].verdict}")
        elif name not in known:
            if way.whole or said[name].verdict != "unknown":  # what went wrong elsewhere
                texts.append(f"{name} is {said[name].verdict}, but found nowhere")
        elif not _agrees(known[name], said[name], way):
            texts.append(f"{name} is {_shown(known[name])}, but said to be {_shown(said[name])}")
    if other.exit_code not in _codes(one, way):
        texts.append(f"exit code {one.exit_code}, but said to be {other.exit_code}")
    read = other.distinct > 0 and other.seconds == 0
    if read and not watched and (other.distinct, other.depth) != (one.distinct, one.depth):
        texts.append(f"{one.distinct} states, depth {one.depth}, but said to be {other.distinct} and {other.depth}")
    if other.distinct > one.distinct:
        texts.append(f"{one.distinct} states, but said to be {other.distinct}")
    return texts


def _agrees(known: Judged, said: Judged, way: Way) -> bool:
    if said.verdict == "unknown":
        return not way.whole or known.verdict == "unknown"
    if known.verdict == "unknown":  # whole runs where a constraint cuts off steps: a run with fewer faults may tell
        return said.verdict == "violated" and said.steps is None
    if (known.verdict in HOLDS) != (said.verdict in HOLDS):
        return False
    if way.strict and said.verdict == "holds" and known.verdict == "untested":
        return False
    return said.steps in (known.steps, None)


def _codes(one: Row, way: Way) -> Sequence[int]:
    """What the exit code of a row may be.  Vacuous and not: a search that tells of smaller budgets knows only of
    properties never put to the test."""
    hollow = (0, 3) if way.strict and one.exit_code in (0, 3) else ()
    told = (1,) if one.exit_code == 4 else ()  # as in _agrees
    return (one.exit_code, *hollow, *told, *(() if way.whole else (4,)))


def _shown(judged: Judged) -> str:
    return judged.verdict if judged.steps is None else f"{judged.verdict} in {judged.steps}"

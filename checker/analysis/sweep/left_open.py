"""Properties that the full searches of a sweep leave undecided, decided by reduced searches.

A sweep that needs all states of its configurations (`--all`, `--strict`, `--implied`) searches them in full.  Where a
limit ends a search, or a smaller configuration reached the limit, some properties stay undecided.  With `--reduce`
these properties alone are checked on a reduced graph.  A violation ends a reduced search, so the remaining properties
are searched again, until a search decides none.

Where it stops: in a strict sweep a property that holds is decided only if its antecedent was true in some state of the
reduced graph, because the only such state may have been left out.  A violation without a full search has no number of
steps.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence, Set
from contextlib import closing

from attrs import evolve

from checker.results.sweep import Configuration, Judged, Row
from checker.results.validated import together
from checker.results.verdict import REFUTED, Swept, Verdict

Found = Generator[tuple[int, Row, list[Configuration]], None, None]


def left_open(row: Row) -> tuple[str, ...]:
    """The properties that the searches so far left undecided."""
    return tuple(p.name for p in row.properties if p.verdict is Verdict.UNKNOWN)


def decided(
    rows: Sequence[Row],
    ask: Callable[[dict[int, Configuration]], Found],
    verdict_of: Callable[[Set[Verdict | Swept], bool], Verdict],
) -> Generator[tuple[int, Row, list[Configuration]], None, None]:
    """Rows with more properties decided.  ask: a reduced search of each row, for the properties that it names."""
    current = dict(enumerate(rows))
    asked = {place: left_open(row) for place, row in current.items()}
    while waiting := {place: names for place, names in asked.items() if names}:
        configurations = {p: evolve(current[p].configuration, only=n, fewer=()) for p, n in waiting.items()}
        asked = {}
        with closing(ask(configurations)) as found:
            for place, row, running in found:
                known = {p.name: p for p in row.properties if _decides(p, row)}
                if not known:
                    continue
                current[place] = _with(current[place], row, known, verdict_of)
                if row.violated:
                    asked[place] = left_open(current[place])
                yield place, current[place], running


def _decides(judged: Judged, row: Row) -> bool:
    return judged.verdict in (Verdict.HOLDS, *REFUTED) or judged.verdict is Swept.UNTESTED and not row.reduced


def _with(
    row: Row, more: Row, known: Mapping[str, Judged], verdict_of: Callable[[Set[Verdict | Swept], bool], Verdict]
) -> Row:
    """The row with the results of a reduced search added."""
    own = {p.name for p in row.properties}
    fresh = (p for n, p in known.items() if n not in own)  # a failure that is no property
    judged = (*(known.get(p.name, p) if p.verdict is Verdict.UNKNOWN else p for p in row.properties), *fresh)
    verdict = verdict_of({p.verdict for p in judged}, row.verdict is Verdict.VACUOUS)
    validation = together((row.validation, more.validation))
    return evolve(
        row,
        verdict=verdict,
        exit_code=verdict.exit_code,
        properties=judged,
        also=(*row.also, *known),
        validation=validation,
    )

"""The enabled and disabled steps of a state of a run, as text and as data.

By default a few instances stand for all that the same condition blocks: first those that the trace's witness names,
then those of whose guard the most conditions hold.  The others are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from checker.report.data import as_data
from checker.report.lines import Line, line
from checker.report.repository import relative
from checker.report.text import guilty_lines
from checker.report.wording import model_line
from checker.results.explained import Answer, Refusal

SHOWN = 3
NO_INSTANCE = (
    "there is no such instance in this state: no message that can be received now fits, "
    "or no parameter has these values"
)


def answer_lines(found: Answer) -> Iterator[Line]:
    """The answer as lines of text."""
    where = f"after step {found.step} of {len(found.trace.steps)}" if found.step else "at the start"
    yield line(f"{model_line(found.trace)} {where}", "bold")
    if not found.asked:
        yield from ([("  ", ""), *told] for told in guilty_lines(found.trace))
    if found.moved is not None:
        name, then, now = found.moved
        old = f"{name} is at line {now} now, and was at line {then} when the trace was stored"
        yield line(
            f"  The file of the model has changed: {old}. Lines that the trace cites are those of then.", "yellow"
        )
    if found.because:
        yield line(f"  {found.because}")
    if found.explanation.enabled:
        yield line("enabled", "green")
        for instance in found.explanation.enabled:
            yield line(f"  {instance}")
    elif not found.asked:
        yield line("no action is enabled", "yellow")
    if found.refused:
        yield line("not enabled", "yellow")
        yield from (line(f"  {text}") for text in refusal_texts(found.refused, everything=found.asked))
    yield from (line(text, "dim") for text in idle_text(found.explanation.idle))
    if found.asked and not (found.explanation.enabled or found.refused):
        yield line(NO_INSTANCE)


def why_not(found: Answer) -> list[str]:
    """Why each action of interest is not enabled, and which handlers have no message to receive."""
    return [*refusal_texts(found.refused, everything=found.asked), *idle_text(found.explanation.idle)]


def refusal_texts(refused: Sequence[Refusal], everything: bool = False) -> Iterator[str]:
    """One line for each disabled instance; among those that one condition blocks only the first few, the rest
    counted."""
    groups: dict[tuple[str, str], list[Refusal]] = {}
    for refusal in refused:
        groups.setdefault((refusal.action, refusal.condition), []).append(refusal)
    for (action, condition), group in groups.items():
        shown = group if everything or len(group) == SHOWN + 1 else group[:SHOWN]
        for refusal in shown:
            place = f"   ({_name(refusal.file)}:{refusal.line})" if refusal.line else ""
            yield refusal.sentence + place
        if left := len(group) - len(shown):
            yield f"{left} more of {action} by the same condition, {condition} (--action {action} shows all)"


def idle_text(idle: Sequence[str]) -> list[str]:
    """One line on the handlers that have no message to receive, if there are any."""
    return [f"nothing in flight for: {', '.join(idle)}"] if idle else []


def _name(file: str) -> str:
    """The path of a file from the project, else its last two components."""
    name = relative(file)
    return "/".join(Path(name).parts[-2:]) if Path(name).is_absolute() else name


def answer_data(found: Answer) -> dict[str, Any]:
    """The answer as data."""
    names = "action instance arguments=values reason condition file line"
    return {
        "reference": found.trace.reference or found.trace.model,
        "step": found.step,
        "because": found.because,
        "enabled": list(found.explanation.enabled),
        "refused": [as_data(r, names) for r in found.refused],
        "nothing_in_flight": list(found.explanation.idle),
    }

"""What a change makes different, and one picture of it: part of the comment on the change (`checker.report.review`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import frozen

from checker.language.constants import written
from checker.report.commands import change_command, picture_command
from checker.report.compare.configurations import elsewhere
from checker.report.compare.runs import others, violations
from checker.report.compare.summary import summary
from checker.report.compare.text import conclusion
from checker.report.cut import cut, size
from checker.report.markdown import code, escape
from checker.report.mermaid import mermaid
from checker.report.suite import step_texts
from checker.report.wording import title, witness
from checker.results.comparison import Comparison
from checker.results.review import Compared, Review, unexpected
from checker.results.verdict import REFUTED
from checker.results.verified import Verified
from checker.trace.trace import Trace
from checker.wording import counted

GONE = ("outcomes that went", "violations that the edit repairs")  # of runs: what the change makes impossible
AROUND = 700  # of a picture with steps left out: its lanes, and the note that says so
LINES = 9
KEPT = (
    "breaks",
    "because",
    "now",
    "before",
    "not looked at",
    "beyond",
)  # lines of a comparison that are never left out
WHOLE = 1_500  # of such a line


def comparisons(compared: Sequence[Compared], failed: Collection[str], room: int) -> list[str]:
    """As many of the first comparisons as there is room for; the last lines of one that is too long are omitted, but
    never what is broken and because of which step.  failed: the labels of expectations that fail.
    """
    shown: list[str] = []
    for one in compared:
        head, lines = _comparison(one, one.label in failed)
        spare = [entry for entry in lines if entry[0] not in KEPT]
        while spare and size([head]) + sum(len(line) + 1 for _, line in lines) > room:
            lines.remove(spare.pop())
        text = "\n".join([head, *([""] if lines else []), *(line for _, line in lines)])
        if len(text) + 2 > room:
            break
        shown.append(text)
        room -= len(text) + 2
    return shown


def _comparison(compared: Compared, failed: bool) -> tuple[str, list[tuple[str, str]]]:
    """The conclusion of a comparison, and its lines with the key of each.  failed: whether the expectation with its
    constants fails: then no line says that nothing is broken.
    """
    head = f"**Against what it was:** {code(cut(compared.label, 200))}"
    if compared.comparison is None:
        return f"{head}: not compared: {escape(cut(compared.note, 300))}.", []
    left_out = ("cost", "breaks") if failed and not compared.comparison.changed("broken") else ("cost",)
    shown = [(key, text) for key, text, _ in summary(compared.comparison) if key not in left_out]
    if failed and (both := [p.name for p in compared.comparison.common if p.before in REFUTED and p.after in REFUTED]):
        shown.insert(0, ("violated", f"{_there(compared)}, too: {', '.join(both)}"))
    if compared.family is not None:
        larger = (("beyond", one.text) for one in compared.family.beyond)
        shown = [*elsewhere(compared.family), *larger, *shown]
    lines = [
        (key, f"- {f'**{key}** ' if key else ''}{escape(cut(text, WHOLE if key in KEPT else 240))}")
        for key, text in shown[:LINES]
    ]
    return f"{head}: {escape(cut(conclusion(compared.comparison), 300))}.{_states(compared.comparison)}", lines


def _there(compared: Compared) -> str:
    """Which model was compared; the one before the change only if it had its own constants."""
    if compared.with_base:
        return "by the model that it edits"
    shared = _shared(compared.comparison)
    return f"by the former model with today's {shared}" if shared else "before the change"


def _shared(c: Comparison | None) -> str:
    """The constants that a change gives another default, and with whose value of today both models were searched."""
    if c is None:
        return ""
    return ", ".join(f"{d.name}={written(c.constants[d.name])}" for d in c.sources if d.kind == "default")


def _states(c: Comparison) -> str:
    """The number of states of both sides, as far as they were searched."""
    before, after = c.base.distinct, c.edit.distinct
    if c.proof is not None and c.edit.bound:  # no more had to be explored
        return ""
    if before == after:
        return f" {counted(after, 'state')}, {f'both with {shared}' if (shared := _shared(c)) else 'as before'}."
    return f" States: {before:,} → {after:,}."


def picture(review: Review, room: int) -> tuple[str, str] | None:
    """The most informative run for which there is room, and the command that draws it: of the failure that the comment
    tells first, with the same constants and of the same property; of a comparison, whose CAUSE is a step that was not
    possible before the change; else of a failure; else one that violates nothing.
    """
    pairs = [(one, c) for one in review.compared if (c := one.comparison) is not None]
    compared = [(c, _Drawn(one.label, _compare_command(one, c, review), True)) for one, c in pairs]
    broken = [(run, drawn) for c, drawn in compared for run in violations(c)]
    runs_of = [(r, run) for r in review.failed if (run := unexpected(r)) is not None]
    failed = [(run, _Drawn(r.case.label, _verify_command(r, run, review))) for r, run in runs_of]
    rest = [(run, drawn) for c, drawn in compared for what, runs in others(c) if what not in GONE for run in runs[:1]]
    asked = next(((r.case.label, run.property) for r, run in runs_of[:1] if r is review.failed[0]), None)

    def order(found: tuple[Trace, _Drawn]) -> tuple[bool, bool, bool, tuple[bool, bool, bool, int]]:
        run, drawn = found
        label, of = asked or (drawn.label, run.property)
        return drawn.label != label, run.property != of, not drawn.compared, _telling(run)

    for run, drawn in [*sorted([*broken, *failed], key=order), *rest]:
        told = witness(run) or next(reversed(step_texts(run)), "")  # of a step of one side alone: what it changes
        said = f": {escape(cut(told, 300))}" if told else ""
        text = f"**{escape(cut(title(run), 200))}** ({code(cut(drawn.label, 200))}){said}\n\n```mermaid\n"
        left = room - len(text) - 30
        whole = mermaid(run, changes=True)
        if len(whole) > left:
            whole = mermaid(run, max(0, left - AROUND), changes=True)
        if len(whole) <= left:
            return f"{text}{whole}```", drawn.command
    return None


@frozen
class _Drawn:
    """What a run is of: a model with its constants, the command that draws it, whether a comparison found it."""

    label: str
    command: str
    compared: bool = False


def _compare_command(compared: Compared, comparison: Comparison, review: Review) -> str:
    revision = "" if compared.with_base else review.revision
    return change_command(comparison.after, comparison.given, revision, compared=True)


def _verify_command(result: Verified, run: Trace, review: Review) -> str:
    if result.in_change and any(step.cause for step in run.steps):
        return change_command(result.case.reference, {}, review.revision, compared=False)
    return picture_command(result.case.reference, result.case.expectation.at, run.kind, run.property)


def _telling(run: Trace) -> tuple[bool, bool, bool, int]:
    """How informative a run is, the most informative first: a CAUSE with its line; any CAUSE; contradicting values
    rather than something missing; few steps.
    """
    cause = next((step for step in run.steps if step.cause), None)
    return cause is None or cause.rule is None, cause is None, run.kind in ("quiescence", "leads-to"), len(run.steps)

"""One comment on a change: the failures, grouped by the changed part of the source; the differences in behaviour of the
changed models; one picture; a link to the whole report.

A reviewer reads a comment in a minute, so it never has more than ROOM characters, a sixth of the hosts' limit.  Each
part has a share of them; omitted items are counted.  The first line marks the comment, so that the next one replaces
it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from itertools import accumulate, groupby

from attrs import frozen

from checker.language.constants import written
from checker.language.define import define
from checker.report.commands import change_command, picture_command
from checker.report.compare.configurations import elsewhere
from checker.report.compare.runs import others, violations
from checker.report.compare.summary import summary
from checker.report.compare.text import conclusion, observed
from checker.report.due import due_sentence
from checker.report.markdown import escape, folded
from checker.report.mermaid import mermaid
from checker.report.suite import step_texts
from checker.report.wording import title, witness
from checker.results.comparison import Comparison
from checker.results.exit_codes import INCONCLUSIVE
from checker.results.parts import CHANGED, REMOVED, RENAMED, Part
from checker.results.review import Compared, Group, Review, unexpected, unexpected_properties
from checker.results.verdict import REFUTED
from checker.results.verified import Remark, Unread, Verified
from checker.trace.trace import Trace
from checker.wording import counted, first_paragraph

MARK = "<!-- checker: what this change does -->"
ROOM = 9_900  # characters
GROUPS = 3_500  # of them for what fails
PICTURE = 3_000  # of them at least for the picture
GONE = ("outcomes that went", "violations that the edit repairs")  # of runs: what the change makes impossible
AROUND = 700  # of a picture with steps left out: its lanes, and the note that says so
OTHERS = 1_500  # of them for the names of other failures, if there are any
FOLD = 150  # of a list that is folded away: what folds it, and the number left out
PARTS, LINES = 3, 9
DIFF, DIFF_LINES = 700, 12  # of the diff of what changed: characters, lines
KEPT = ("breaks", "because", "now", "before", "not looked at")  # lines of a comparison that are never left out
WHOLE = 1_500  # of such a line
COMMAND = 400  # of a command
LONG_WORD = 40
NAMED = 3  # of what is not as stated in one expectation
WEAKER = 5  # expectations that say less
UNREAD = 2  # models that cannot be read: with the reason; others are named


def review_comment(review: Review, link: str | None = None, allowed: bool = False) -> str:
    """The comment as Markdown; link: the address of the full report; allowed: whether expectations may be removed."""
    report = _report(link)
    end = " ".join([*report, *_again(review)])
    parts = [
        f"{MARK}\n### {_headline(review)}",
        _unread(review),
        _left(review),
        _since(review),
        _removed(review, allowed),
        end,
    ]
    alone = sum(bool(_broken([group])) for group in review.groups) <= 1
    groups = _fitting([_group(group, alone) for group in review.groups], GROUPS)
    parts[-1:-1] = groups
    if left := review.groups[len(groups) :]:
        failed = sum(len(group.failed) for group in left)
        parts.insert(-1, f"{counted(len(left), 'other change')}, with which {failed} fail: in the full report.")
    unnamed = _unnamed(review, len(groups))
    named = min(OTHERS, sum(len(line) + 1 for line in unnamed) + FOLD)
    failing = {result.case.label for result in review.failed}
    compared = _comparisons(review.compared, failing, ROOM - PICTURE - named - _size(parts))
    parts[-1:-1] = compared
    if omitted := [*(c.label for c in review.compared[len(compared) :]), *review.omitted]:
        parts.insert(-1, f"Not shown against what it was: {escape(_cut(', '.join(omitted), 200))}.")
    if (found := _picture(review, ROOM - named - _size(parts))) is not None:
        text, command = found
        parts[-1] = " ".join([*report, f"This picture and a page to step through: {_code(_cut(command, COMMAND))}"])
        parts.insert(-1, text)
    if (more := _others(unnamed, ROOM - _size(parts))) is not None:
        parts.insert(-1, more)
    return "\n\n".join(filter(None, parts)) + "\n"


def _size(parts: Sequence[str]) -> int:
    return sum(len(part) + 2 for part in parts)


def _fitting(parts: Sequence[str], room: int) -> list[str]:
    """As many of the first items as there is room for."""
    return [part for part, size in zip(parts, accumulate(len(part) + 2 for part in parts)) if size <= room]


def failure_comment(problem: str, link: str | None = None) -> str:
    """The comment if nothing was verified: the reason, so that no earlier comment seems to be about this change."""
    shown = _cut(problem, GROUPS).replace("`", chr(39))
    return "\n\n".join([f"{MARK}\n### checker: not verified", f"```text\n{shown}\n```", *_report(link)]) + "\n"


def _headline(review: Review) -> str:
    failed, checked = len(review.failed), len(review.results)
    them = f"{'its' if len(review.unread) == 1 else 'their'} expectations are not known"
    name = f"checker: {counted(len(review.unread), 'model')} not read, {them};" if review.unread else "checker:"
    all = checked + len(review.left)
    ended = f"; interrupted, {len(review.left)} not reached" if review.left else ""
    numbers = [sum(bool(one.what) is weaker for one in review.removed) for weaker in (False, True)]
    gone = "".join(f"; {number} {what}" for number, what in zip(numbers, ("removed", "weakened")) if number)
    if not all:
        return f"{name} no {'other ' * bool(review.unread)}expectation is touched{gone}"
    touched = counted(all, "touched expectation")
    if failed:
        broken = f" {escape(_cut(_broken(review.groups), 150))};" if _broken(review.groups) else ""
        wrong, undecided = _unmet(review.failed)
        told = [f"{wrong} of {touched} not as stated"] * bool(wrong)
        told += [f"{undecided}{'' if wrong else f' of {touched}'} not decided"] * bool(undecided)
        return f"{name}{broken} {', '.join(told)}{ended}{gone}"
    some = f"{checked} of " if review.left else "all " * (checked > 1)
    return f"{name} {some}{touched} as stated{_disabled(review)}{_observed(review)}{ended}{gone}"


def _disabled(review: Review) -> str:
    """The actions that a change disables everywhere: a property of a model that does nothing holds."""
    found = {n: None for c in review.compared if c.comparison is not None for n in c.comparison.disabled}
    return f"; never enabled any more: {escape(_cut(', '.join(found), 150))}" if found else ""


def _observed(review: Review) -> str:
    """What a changed model ends with or shows that it did not, or no longer: no property speaks of it."""
    changed = (c.comparison for c in review.compared if c.comparison is not None and not c.with_base)
    found = next((words for c in changed if (words := observed(c))), [])
    return f"; {escape('; '.join(found))}" if found else ""


def _unread(review: Review) -> str:
    """The models that cannot be read, the first of them with the reason."""
    lines = [f"> {_code(_cut(u.reference, 200))}: {_reason(u)}" for u in review.unread[:UNREAD]]
    names = ", ".join(u.reference for u in review.unread[UNREAD:])
    return "\n>\n".join([*lines, *([f"> {escape(_cut(names, 400))}"] if names else [])])


def _reason(unread: Unread) -> str:
    """Why a model cannot be read: the message without the file before it, the line of source, the remedy.

    In the text of an error the source is indented by four columns, the remedy by two (`language.errors`).
    """
    first, *rest = unread.message.removeprefix(f"{unread.reference}:").strip().splitlines() or [""]
    first = f"line {first}" if unread.message.startswith(f"{unread.reference}:{unread.line}:") else first
    shown = [f"{escape(_cut(first, 300))}"]
    shown += [_code(_cut(r.strip(), 150)) if r.startswith("    ") else escape(_cut(r.strip(), 200)) for r in rest[:4]]
    return "<br>\n> ".join(shown)


def _removed(review: Review, allowed: bool) -> str:
    """The expectations that are gone, and those that say less."""
    if not review.removed:
        return ""
    fails = "" if allowed else "Exit code 3, unless `--allow-removed` accepts that."
    gone = [str(one) for one in review.removed if not one.what]
    weaker = [str(one) for one in review.removed if one.what]
    more = [f"- {len(weaker) - WEAKER} more"] * (len(weaker) > WEAKER)
    listed = [f"- {escape(_cut(text, 300))}" for text in weaker[:WEAKER]]
    return "\n".join(
        [
            *([f"Expectations removed: {escape(_cut(', '.join(gone), 600))}. {fails}".strip()] if gone else []),
            *(["", f"Expectations weakened. {fails}".strip(), "", *listed, *more] if weaker else []),
        ]
    ).strip()


def _left(review: Review) -> str:
    """The expectations that an interruption left out, by name: what is not named was verified."""
    return f"Not reached: {escape(_cut(', '.join(review.left), 600))}." if review.left else ""


def _since(review: Review) -> str:
    if not review.untouched:
        return ""
    untouched = counted(review.untouched, "expectation")
    return f"Not searched again: {untouched} untouched since {_code(_named(review.revision))}."


def _named(revision: str) -> str:
    """A revision as a reader recognizes it: of a commit the first digits, as git abbreviates them."""
    return revision[:12] if re.fullmatch("[0-9a-f]{40}", revision) else revision


def _unmet(failed: Sequence[Verified]) -> tuple[int, int]:
    """How many of these expectations are not met, or only vacuously, and how many are not decided."""
    undecided = sum(result.exit_code == INCONCLUSIVE for result in failed)
    return len(failed) - undecided, undecided


def _group(group: Group, alone: bool) -> str:
    """The changed parts, the number of expectations that fail with them, the lines that differ, and the first failure.
    alone: whether no other group violates anything, so that the headline names what is violated.
    """
    failed, of = len(group.failed), len(group.results)
    models = counted(len({r.case.reference for r in group.results}), "model")
    first = group.failed[0] if failed else None
    blamed = first.blamed or () if first is not None else ()
    parts = sorted(group.parts, key=lambda part: part not in blamed)
    diff = list(_diff(parts[:PARTS]))
    if first is None:
        return "\n\n".join([f"{_changed(parts)}: {counted(of, 'expectation')} of {models} as stated.", *diff])
    broken = "" if alone or not _broken([group]) else f"{escape(_cut(_broken([group]), 200))}. "
    count = _count(group, f" of {counted(of, 'expectation')} of {models}" if of > 1 else " expectation")
    head = f"{broken}{_changed(parts)}: {count}{'.' if diff else '; first:'}\n"
    wrong = f"> {_code(_cut(first.case.label, 200))}: {escape(_cut(_wrong(first), 700))}"
    due = [f">\n> {text}"] if (text := due_sentence(first, _part)) else []
    return "\n".join([head, *(f"{block}\n\nFirst:\n" for block in diff), wrong, *due, *_meaning(first)])


def _count(group: Group, among: str) -> str:
    """How many expectations fail, and how many are not decided.  among: of how many."""
    wrong, undecided = _unmet(group.failed)
    told = [f"{wrong}{among} fail{'s' * (wrong == 1)}"] * bool(wrong)
    are = "is" if undecided == 1 else "are"
    told += [f"{undecided}{'' if wrong else among} {are} not decided"] * bool(undecided)
    return ", ".join(told)


def _broken(groups: Iterable[Group]) -> str:
    """The properties that should hold and are violated, each once."""
    found = (p.name for group in groups for r in group.failed if r.report for p in unexpected_properties(r))
    names = list(dict.fromkeys(found))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more} violated" if names else ""


def _changed(parts: Sequence[Part]) -> str:
    """The first parts, with what happened to them, renamings first: consecutive ones that changed have the word in
    common."""
    first = sorted(parts, key=lambda part: part.fate != RENAMED)[:PARTS]
    shown = [
        "; ".join(map(_part, of)) + " changed" * (fate == CHANGED)
        for fate, of in groupby(first, key=lambda part: part.fate)
    ]
    return "; ".join(shown) + (f" and {len(parts) - PARTS} more" if len(parts) > PARTS else "")


def _diff(parts: Sequence[Part]) -> Iterator[str]:
    """The lines of methods that differ, as many as there is room for, in a block of Markdown.  No line of it ends the
    block: each begins with its sign.
    """
    lines = [_cut(line, 160) for part in parts for line in part.diff]
    sizes = accumulate(len(line) + 1 for line in lines)
    shown = [line for line, size in zip(lines[:DIFF_LINES], sizes) if size <= DIFF]
    if shown:
        rest = [f"  ... {counted(len(lines) - len(shown), 'more line')}"] * (len(shown) < len(lines))
        yield "\n".join(["```diff", *shown, *rest, "```"])


def _meaning(result: Verified) -> Iterator[str]:
    """The docstring of the property that the shortest run violates, unless its sentence has it already."""
    if (run := unexpected(result)) is None:
        return
    definition = define(result.case.cls, result.case.expectation.at)
    for stated in definition.properties:
        if stated.name == run.property:
            owners = (c for c in definition.model.properties if c.__name__ == stated.owner)
            text = first_paragraph(cleandoc(next(owners, stated.function).__doc__ or ""))
            if text and text.rstrip(".") not in witness(run):
                yield f">\n> {escape(_cut(f'{stated.name}: {text}', 300))}"


def _part(part: Part) -> str:
    """A part with its place; of one that is gone, that it is, and the place that it had."""
    place = _code(part.place)
    if part.fate == REMOVED:
        return f"**{escape(_cut(part.text, 120))}** removed (was {place})"
    room = 400 if part.fate == RENAMED else 120
    return f"**{escape(_cut(part.text, room))}**{f' ({place})' * bool(part.file)}"


def _wrong(result: Verified) -> str:
    """The unmet expectations, each with the sentence of the run that violates it; first the one with the shortest."""
    run = unexpected(result)
    sentences = {p.name: witness(p.trace) for p in unexpected_properties(result) if p.trace is not None}
    shown = [m for m in result.mismatches if run is not None and m.of is not None and m.of[1] == run.property]
    others = [m for m in result.mismatches if m not in shown]
    said = [_explained(m, sentences) if sentences else str(m) for m in (*shown, *others)]
    said += [*map(str, result.undecided), *(finding.text for finding in result.hollow)]
    more = f"; and {len(said) - NAMED} more" if len(said) > NAMED else ""
    return "; ".join(text.rstrip(".") if len(said) > 1 else text for text in said[:NAMED]) + more


def _explained(remark: Remark, sentences: Mapping[str, str]) -> str:
    sentence = sentences.get(remark.of[1], "") if remark.of is not None else ""
    return f"{remark}: {sentence}" if sentence else str(remark)


def _comparisons(compared: Sequence[Compared], failed: Collection[str], room: int) -> list[str]:
    """As many of the first comparisons as there is room for; the last lines of one that is too long are omitted, but
    never what is broken and because of which step.  failed: the labels of expectations that fail.
    """
    shown: list[str] = []
    for one in compared:
        head, lines = _comparison(one, one.label in failed)
        spare = [entry for entry in lines if entry[0] not in KEPT]
        while spare and _size([head]) + sum(len(line) + 1 for _, line in lines) > room:
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
    head = f"**Against what it was:** {_code(_cut(compared.label, 200))}"
    if compared.comparison is None:
        return f"{head}: not compared: {escape(_cut(compared.note, 300))}.", []
    left_out = ("cost", "breaks") if failed and not compared.comparison.changed("broken") else ("cost",)
    shown = [(key, text) for key, text, _ in summary(compared.comparison) if key not in left_out]
    if failed and (both := [p.name for p in compared.comparison.common if p.before in REFUTED and p.after in REFUTED]):
        shown.insert(0, ("violated", f"{_there(compared)}, too: {', '.join(both)}"))
    if compared.family is not None:
        shown = [*elsewhere(compared.family), *shown]
    lines = [
        (key, f"- {f'**{key}** ' if key else ''}{escape(_cut(text, WHOLE if key in KEPT else 240))}")
        for key, text in shown[:LINES]
    ]
    return f"{head}: {escape(_cut(conclusion(compared.comparison), 300))}.{_states(compared.comparison)}", lines


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
    if before == after:
        return f" {counted(after, 'state')}, {f'both with {shared}' if (shared := _shared(c)) else 'as before'}."
    return f" States: {before:,} → {after:,}."


def _picture(review: Review, room: int) -> tuple[str, str] | None:
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
        said = f": {escape(_cut(told, 300))}" if told else ""
        text = f"**{escape(_cut(title(run), 200))}** ({_code(_cut(drawn.label, 200))}){said}\n\n```mermaid\n"
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


def _unnamed(review: Review, shown: int) -> list[str]:
    """A line for each failure that the shown groups do not name: the first of each other group, then the rest."""
    firsts = [group.failed[0] for group in review.groups if group.failed]
    named = {id(group.failed[0]) for group in review.groups[:shown] if group.failed}
    left = {id(r): r for r in (*firsts, *review.failed) if id(r) not in named}
    return [f"- {_code(_cut(r.case.label, 200))}: {escape(_cut(_wrong(r), 160))}" for r in left.values()]


def _others(lines: Sequence[str], room: int) -> str | None:
    """As many of the other failures as there is room for."""
    if not lines or room <= FOLD:
        return None
    sizes = accumulate(len(line) + 1 for line in lines)
    shown = [line for line, size in zip(lines, sizes) if size <= room - FOLD]
    rest = [f"- {len(lines) - len(shown)} more"] * (len(shown) < len(lines))
    return folded(f"{len(lines)} more", "\n".join([*shown, *rest]))


def _again(review: Review) -> Iterator[str]:
    """How to verify locally what fails, where no picture shows it."""
    if review.failed:
        yield f"Again: {_code(_cut(f'checker verify {review.failed[0].case.reference}', COMMAND))}"


def _report(link: str | None) -> list[str]:
    return [f"[The full report]({link})."] if link else []


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _cut(text: str, most: int) -> str:
    """The beginning of a text that is too long, up to the end of a word, unless the word is long itself."""
    if len(text) <= most:
        return text
    begun = text[: most - 4]
    whole = begun if text[most - 4].isspace() else begun.rpartition(" ")[0].rstrip()
    return f"{whole if len(whole) >= len(begun) - LONG_WORD else begun} ..."

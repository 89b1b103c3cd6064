"""What fails with a change, grouped by the changed part of the source: part of the comment on the change
(`checker.report.review`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import cleandoc
from itertools import accumulate, groupby

from checker.language.define import define
from checker.report.cut import cut
from checker.report.due import due_sentence
from checker.report.markdown import code, escape
from checker.report.wording import witness
from checker.results.parts import CHANGED, REMOVED, RENAMED, Part
from checker.results.review import Group, unexpected, unexpected_properties
from checker.results.verified import Remark, Verified, unmet
from checker.wording import counted, first_paragraph, listed

PARTS = 3
DIFF, DIFF_LINES = 700, 12  # of the diff of what changed: characters, lines
NAMED = 3  # of what is not as stated in one expectation


def group_text(group: Group, alone: bool) -> str:
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
    broken = "" if alone or not violated([group]) else f"{escape(cut(violated([group]), 200))}. "
    count = _count(group, f" of {counted(of, 'expectation')} of {models}" if of > 1 else " expectation")
    head = f"{broken}{_changed(parts)}: {count}{'.' if diff else '; first:'}\n"
    wrong = f"> {code(cut(first.case.label, 200))}: {escape(cut(not_as_stated(first), 700))}"
    due = [f">\n> {text}"] if (text := due_sentence(first, _part)) else []
    return "\n".join([head, *(f"{block}\n\nFirst:\n" for block in diff), wrong, *due, *_meaning(first)])


def _count(group: Group, among: str) -> str:
    """How many expectations fail, how many are not decided, how many are met only vacuously.  among: of how many."""
    wrong, undecided, hollow = unmet(group.failed)
    told = [f"{wrong}{among} fail{'s' * (wrong == 1)}"] * bool(wrong)
    for number, what in ((undecided, "not decided"), (hollow, "met only vacuously")):
        told += [f"{number}{'' if told else among} {'is' if number == 1 else 'are'} {what}"] * bool(number)
    return ", ".join(told)


def violated(groups: Iterable[Group]) -> str:
    """The properties that should hold and are violated, each once."""
    found = (p.name for group in groups for r in group.failed if r.report for p in unexpected_properties(r))
    names = list(dict.fromkeys(found))
    return f"{listed(names, NAMED)} violated" if names else ""


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
    lines = [cut(line, 160) for part in parts for line in part.diff]
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
                yield f">\n> {escape(cut(f'{stated.name}: {text}', 300))}"


def _part(part: Part) -> str:
    """A part with its place; of one that is gone, that it is, and the place that it had."""
    place = code(part.place)
    if part.fate == REMOVED:
        return f"**{escape(cut(part.text, 120))}** removed (was {place})"
    room = 400 if part.fate == RENAMED else 120
    return f"**{escape(cut(part.text, room))}**{f' ({place})' * bool(part.file)}"


def not_as_stated(result: Verified) -> str:
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

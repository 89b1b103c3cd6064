"""One comment on a change: the failures, grouped by the changed part of the source; the differences in behaviour of the
changed models; one picture; a link to the whole report.

A reviewer reads a comment in a minute, so it never has more than ROOM characters, a sixth of the hosts' limit.  Each
part has a share of them; omitted items are counted.  The first line marks the comment, so that the next one replaces
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from checker.report.compare.text import observed
from checker.report.cut import cut, size
from checker.report.markdown import code, escape, folded
from checker.report.review_groups import group_text, not_as_stated, violated
from checker.report.review_runs import comparisons, picture
from checker.results.review import Review
from checker.results.verified import Unread, unmet
from checker.wording import counted, short_revision

MARK = "<!-- checker: what this change does -->"
ROOM = 9_900  # characters
GROUPS = 3_500  # of them for what fails
PICTURE = 3_000  # of them at least for the picture
OTHERS = 1_500  # of them for the names of other failures, if there are any
FOLD = 150  # of a list that is folded away: what folds it, and the number left out
COMMAND = 400  # of a command
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
    alone = sum(bool(violated([group])) for group in review.groups) <= 1
    groups = _fitting([group_text(group, alone) for group in review.groups], GROUPS)
    parts[-1:-1] = groups
    if left := review.groups[len(groups) :]:
        failed = sum(len(group.failed) for group in left)
        parts.insert(-1, f"{counted(len(left), 'other change')}, with which {failed} fail: in the full report.")
    unnamed = _unnamed(review, len(groups))
    named = min(OTHERS, sum(len(line) + 1 for line in unnamed) + FOLD)
    failing = {result.case.label for result in review.failed}
    compared = comparisons(review.compared, failing, ROOM - PICTURE - named - size(parts))
    parts[-1:-1] = compared
    if omitted := [*(c.label for c in review.compared[len(compared) :]), *review.omitted]:
        parts.insert(-1, f"Not shown against what it was: {escape(cut(', '.join(omitted), 200))}.")
    if (found := picture(review, ROOM - named - size(parts))) is not None:
        text, command = found
        parts[-1] = " ".join([*report, f"This picture and a page to step through: {code(cut(command, COMMAND))}"])
        parts.insert(-1, text)
    if (more := _others(unnamed, ROOM - size(parts))) is not None:
        parts.insert(-1, more)
    return "\n\n".join(filter(None, parts)) + "\n"


def _fitting(parts: Sequence[str], room: int) -> list[str]:
    """As many of the first items as there is room for."""
    return [part for part, size in zip(parts, accumulate(len(part) + 2 for part in parts)) if size <= room]


def failure_comment(problem: str, link: str | None = None) -> str:
    """The comment if nothing was verified: the reason, so that no earlier comment seems to be about this change."""
    shown = cut(problem, GROUPS).replace("`", chr(39))
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
        broken = f" {escape(cut(violated(review.groups), 150))};" if violated(review.groups) else ""
        wrong, undecided, hollow = unmet(review.failed)
        told = list[str]()
        for number, what in ((wrong, "not as stated"), (undecided, "not decided"), (hollow, "met only vacuously")):
            told += [f"{number}{'' if told else f' of {touched}'} {what}"] * bool(number)
        return f"{name}{broken} {', '.join(told)}{ended}{gone}"
    some = f"{checked} of " if review.left else "all " * (checked > 1)
    return f"{name} {some}{touched} as stated{_disabled(review)}{_observed(review)}{_beyond(review)}{ended}{gone}"


def _disabled(review: Review) -> str:
    """The actions that a change disables everywhere: a property of a model that does nothing holds."""
    found = {n: None for c in review.compared if c.comparison is not None for n in c.comparison.disabled}
    return f"; never enabled any more: {escape(cut(', '.join(found), 150))}" if found else ""


def _observed(review: Review) -> str:
    """What a changed model ends with or shows that it did not, or no longer: no property speaks of it."""
    changed = (c.comparison for c in review.compared if c.comparison is not None and not c.with_base)
    found = next((words for c in changed if (words := observed(c))), [])
    return f"; {escape('; '.join(found))}" if found else ""


def _beyond(review: Review) -> str:
    """A rule that is another one with more processes than the expectations have, where nothing differs with these."""
    families = [c.family for c in review.compared if c.family is not None and not c.with_base]
    found = next((one for f in families for one in f.beyond), None)
    if found is None:
        return ""
    other = f"rule {escape(found.rule)} is {found.relation} with processes={found.processes}"
    return f"; nothing differs, but {other}, which is not verified"


def _unread(review: Review) -> str:
    """The models that cannot be read, the first of them with the reason."""
    lines = [f"> {code(cut(u.reference, 200))}: {_reason(u)}" for u in review.unread[:UNREAD]]
    names = ", ".join(u.reference for u in review.unread[UNREAD:])
    return "\n>\n".join([*lines, *([f"> {escape(cut(names, 400))}"] if names else [])])


def _reason(unread: Unread) -> str:
    """Why a model cannot be read: the message, without the file if the reference is its name, the line of source, the
    remedy.
    """
    error = unread.error
    line = f"line {error.line}: " if error.line else ""
    shown = [escape(cut(f"{line}{error.message}" if error.file == unread.reference else error.first_line, 300))]
    shown += [code(cut(error.fragment, 150))] if error.fragment else []
    shown += [escape(cut(error.remedy, 200))] if error.remedy else []
    return "<br>\n> ".join(shown)


def _removed(review: Review, allowed: bool) -> str:
    """The expectations that are gone, and those that say less."""
    if not review.removed:
        return ""
    fails = "" if allowed else "Exit code 3, unless `--allow-removed` accepts that."
    gone = [str(one) for one in review.removed if not one.what]
    weaker = [str(one) for one in review.removed if one.what]
    more = [f"- {len(weaker) - WEAKER} more"] * (len(weaker) > WEAKER)
    listed = [f"- {escape(cut(text, 300))}" for text in weaker[:WEAKER]]
    return "\n".join(
        [
            *([f"Expectations removed: {escape(cut(', '.join(gone), 600))}. {fails}".strip()] if gone else []),
            *(["", f"Expectations weakened. {fails}".strip(), "", *listed, *more] if weaker else []),
        ]
    ).strip()


def _left(review: Review) -> str:
    """The expectations that an interruption left out, by name: what is not named was verified."""
    return f"Not reached: {escape(cut(', '.join(review.left), 600))}." if review.left else ""


def _since(review: Review) -> str:
    if not review.untouched:
        return ""
    untouched = counted(review.untouched, "expectation")
    return f"Not searched again: {untouched} untouched since {code(short_revision(review.revision))}."


def _unnamed(review: Review, shown: int) -> list[str]:
    """A line for each failure that the shown groups do not name: the first of each other group, then the rest."""
    firsts = [group.failed[0] for group in review.groups if group.failed]
    named = {id(group.failed[0]) for group in review.groups[:shown] if group.failed}
    left = {id(r): r for r in (*firsts, *review.failed) if id(r) not in named}
    return [f"- {code(cut(r.case.label, 200))}: {escape(cut(not_as_stated(r), 160))}" for r in left.values()]


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
        yield f"Again: {code(cut(f'checker verify {review.failed[0].case.reference}', COMMAND))}"


def _report(link: str | None) -> list[str]:
    return [f"[The full report]({link})."] if link else []

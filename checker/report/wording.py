"""The sentences that all reports share about a trace as a whole: title, caption, the reasons for a violation.

Text, diagram, page and summary must use the same name for the same thing.  Every sentence about a trace as a whole is
therefore made here, once, as plain text. Escaping belongs to each form.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from checker.language.constants import written
from checker.report.at_end import repeats, since_at_end
from checker.report.marks import cause_mark, violating_step
from checker.report.phrases import call_text, names
from checker.report.said import Said, Weight
from checker.trace.former import VERSION, Contrast, beside, of_version, where
from checker.trace.reasons import Reason
from checker.trace.trace import Step, Trace
from checker.trace.values import show
from checker.wording import WITH, and_more, short_revision

TRACE_FILE = "trace.itf.json"
MOST_WHY_NOT = 2
PHASES = {
    "define": "set constants",
    "lower": "translate",
    "reduce": "compile the reduced steps",
    "cycles": "look for cycles",
    "validate": "confirm",
    "replay": "make runs",
    "runs": "make runs",
}
"""The parts of a command's time whose names are not their own explanation."""
LONGEST_REASON = 180
VALUES = re.compile(r"\b[a-z]+\d[\d.]*\b")
SAYS_NOTHING = re.compile(r"The (edit|rules? of) [\w:]+\.")
"""A docstring that names the class that its own name names."""
STRONG = ("edit", "reading", "repair", "claim", "attempt", "variant", "protocol", "why not", "enabled but never taken")
"""The parts of a caption that a reader needs first."""


def title(trace: Trace) -> str:
    """The finding of the trace, and its step."""
    last, name = len(trace.steps), trace.property
    where = f"at step {last} of {last}" if last else "in the initial state"
    if trace.kind == "quiescence":
        after = f"after step {last}" if last else "from the initial state on"
        remaining = f"nothing but faults ({', '.join(trace.faults)})" if trace.faults else "nothing more"
        return f"{name} violated: {remaining} can happen {after}"
    if trace.kind == "leads-to":
        return f"{name} violated: {repetition(trace)}"
    if trace.kind == "error":
        return f"Model error {where}" + (f": {name}" if name else "")
    if trace.kind == "assert":
        return f"Assertion {name} failed {where}".replace("  ", " ")
    if trace.kind == "reachable":
        return f"{name} reached {where}"
    return f"{name} violated {where}"


def witness(trace: Trace) -> str:
    """The sentence that says how the property fails; for an error without one, the text of the last step."""
    return trace.witness or (trace.steps[-1].note if trace.steps and trace.kind in ("error", "assert") else "")


def decisive(contrast: Contrast) -> str:
    """The deciding condition of a CAUSE, without what the step leads to in the former protocol, and without the
    conditions of a long reason that say less; what the step leads to, if nothing else is known."""
    now, before = _halves(contrast)
    return beside(now, before, contrast.base) or contrast.then


def now_and_before(contrast: Contrast) -> tuple[str, str]:
    """The two halves of the deciding condition of a CAUSE: under the edit, and before it; the second is "" if there is
    one half.
    """
    now, before = _halves(contrast)
    named = contrast.base not in ("", VERSION)
    return now or contrast.then, f"{where(contrast.base)} {before}" if before and named else before


def _halves(contrast: Contrast) -> tuple[str, str]:
    return contrast.edited, _shortest(contrast.before, contrast.edited)


def cause_in_short(trace: Trace) -> str:
    """The deciding condition of the CAUSE; the whole sentence in a trace of an earlier version; "" if nothing is said
    of it."""
    if trace.contrast is not None:
        return decisive(trace.contrast)
    return trace.cause or next((step.note for step in trace.steps if step.cause), "")


def _shortest(told: str, beside: str) -> str:
    """A value with its reason; of a long reason the condition that speaks of most of what the reason beside it does."""
    value, colon, whole = told.partition("): ")
    reason, behind, read = whole.partition(WITH)
    parts = re.split(r"(?:; | and )", reason)
    if len(reason) <= LONGEST_REASON or len(parts) == 1:
        return told
    values = set(VALUES.findall(beside.partition("): ")[2])) or set(VALUES.findall(beside))
    best = max(parts, key=lambda part: len(values & set(VALUES.findall(part))))
    start, more = "" if best is parts[0] else "... ", and_more(parts[parts.index(best) + 1 :])
    return f"{value}{colon}{start}{best}{more}{behind}{read}"


def took_text(seconds: Mapping[str, float], memory: int) -> str:
    """The time of each part, of all together, and the memory of the process."""
    parts = ", ".join(f"{PHASES.get(name, name)} {spent:.2f} s" for name, spent in seconds.items() if spent >= 0.005)
    whole = f"{sum(seconds.values()):.2f} s" + (f" ({parts})" if parts else "")
    return f"{whole}, {memory / 2**20:,.0f} MB"


def reasons(trace: Trace) -> list[str]:
    """The reasons for the violation, in sentences without a full stop: the step that the protocol before the edit does
    not allow, with the rule that decides it, and what stays disabled at the end.
    """
    cause = next((step for step in trace.steps if step.cause), None)
    told = [f"CAUSE {trace.cause}"] if trace.cause else []
    told += (
        [f"CAUSE in step {cause.number}{_also(trace)}{_of(trace, cause)}: {cause.note}"] if cause is not None else []
    )
    told += [text for text in (trace.former, trace.vacuous) if text]
    return [*told, *(f"Why not: {text}" for text in trace.blocked)]


def guilty_line(trace: Trace) -> str:
    """The parts of `guilty_parts` in one sentence.  All reports have them in their head."""
    return "; ".join(guilty_parts(trace))


def guilty_parts(trace: Trace) -> list[str]:
    """The sentences of `guilty_said`."""
    return [" ".join(said.text for said in part) for part in guilty_said(trace)]


def guilty_said(trace: Trace) -> list[list[Said]]:
    """The deciding step, with the line of the rule or statement: the CAUSE, or that the protocol before the edit has
    the run too, else the step that violates the property and the one that settles this; nothing if none of it is known,
    or if the disabled instances say it; last, that reasons are missing.  Each sentence in its parts; the guilty rule or
    statement is strong: that of the violation, unless another class repairs that of an earlier step.
    """
    return [*_known(trace), *_plain([trace.unexplained])]


def _known(trace: Trace) -> list[list[Said]]:
    cause = next((step for step in trace.steps if step.cause), None)
    above = _plain([former_line(trace)] if trace.against else [])  # the CAUSE is an earlier edit's
    if cause is not None:
        return [*above, _caused(trace, f"CAUSE, step {cause.number}{_also(trace)}{_of(trace, cause)}: ")]
    broken = next(filter(None, (_broken(trace, step) for step in trace.steps if is_decisive(trace, step))), [])
    guilty = trace.mended and not trace.cause  # the rule that another class repairs is that of an earlier step
    if trace.cause or guilty:
        broken = [Said(said.text) for said in broken]
    settles = [Said(trace.settles, Weight.STRONG if guilty else Weight.PLAIN)] * bool(trace.settles)
    further = [*([settles] if settles else []), *_plain(trace.opposes)]
    if trace.cause:
        return [*above, _caused(trace, "CAUSE "), *([broken] if broken else []), *further]
    former = former_line(trace) or trace.vacuous
    missing = _missing_line(trace, " in this run" * bool(former))
    why = broken or [Said(missing, Weight.STRONG)] * bool(missing)
    first = [Said(former, Weight.PLAIN if why else Weight.STRONG)] if former else []
    return [*filter(None, [first, why]), *_plain(trace.otherwise), *further]


def _plain(texts: Sequence[str]) -> list[list[Said]]:
    return [[Said(text)] for text in texts if text]


def _caused(trace: Trace, head: str) -> list[Said]:
    """The CAUSE under the edit, and before it."""
    contrast = trace.contrast
    if contrast is None or not contrast.edited or not contrast.before:
        return [Said(head + (cause_in_short(trace) or not_allowed(trace)), Weight.STRONG)]
    now, before = _halves(contrast)
    since = [Said(f"{reason};") for reason in since_at_end(trace)]
    return [Said(f"{head}{now};", Weight.STRONG), *since, Said(f"{where(contrast.base)} {before}")]


def _broken(trace: Trace, step: Step) -> list[Said]:
    """The statement that violates the property, and the condition that led to it; nothing if neither is known."""
    place, head = decisive_place(trace, step), f"VIOLATION, step {step.number}, "
    if not place or not trace.because:
        return [Said(f"{head}{place}", Weight.STRONG)] * bool(place)
    does = Said(f"{head}{call_text(step)}: {trace.statement},")
    return [does, Said(f"because {trace.because}", Weight.STRONG)]


def _missing_line(trace: Trace, where: str = "") -> str:
    """The reason why something that is missing did not happen."""
    return f"WHY NOT{where}: {trace.decides}" if trace.decides and trace.kind in ("quiescence", "leads-to") else ""


def former_line(trace: Trace) -> str:
    """That the protocol before the edit violates the property too, or has the run too, and whether it violates the
    property there; "" if it does not, or if that is unknown.
    """
    if trace.former:
        return trace.former
    run = trace.shared_run
    if run is None:
        return ""
    if run.end == "violated":
        caused = "Caused by an earlier change, not" if trace.against else "Not caused"  # the CAUSE follows
        return f"{caused} by the {_change(trace)}: {run.compared}{run.base}, the protocol before it, has this run too"
    there = f"{run.base}, the protocol {_before(trace)}, has this run too{run.ending(trace.property)}"
    return f"No step is new: {run.compared}{there}"


def _change(trace: Trace) -> str:
    """What the class of a run is beside its base: an edit, a reading, a repair; of a protocol its difference."""
    if of_version(trace.contrast, trace.shared_run):
        return "change"
    if trace.edit is None:
        return "change" if trace.protocol else "edit"
    kind = _described("edit", trace.edit)[0]
    return kind if kind in STRONG else "edit"


def _before(trace: Trace) -> str:
    """How the base is named: a reading or a repair is a change of it, and no edit.  What is no such class may be a
    version of the user's own model, which was edited, unless it is an edit itself."""
    version = of_version(trace.contrast, trace.shared_run)
    return where("" if _change(trace) in ("edit", "change") and not version else VERSION)


def not_allowed(trace: Trace) -> str:
    """What is said of the step that is the CAUSE where nothing more is known of it, and beside its mark."""
    return f"not allowed in {trace.against}" if trace.against else f"not allowed {_before(trace)}"


def step_note(trace: Trace, step: Step) -> str:
    """The note of a step, unless the head of the report contains it."""
    return "" if step.number == len(trace.steps) and former_line(trace) and not step.cause else step.note


def note_in_short(trace: Trace, step: Step) -> str:
    """The note of a step; of the CAUSE the deciding condition."""
    return cause_in_short(trace) if step.cause else step.note


def shown_blocked(trace: Trace) -> tuple[Reason, ...]:
    """The reasons why not for a short head; all are in the stored trace.  A reason at a step of the CAUSE stands alone;
    that nothing is in flight is no reason beside another one, or beside a line that decides."""
    reasons = other_blocked(trace)
    caused = {step.number for step in trace.steps if cause_mark(trace, step)}
    if there := [reason for reason in reasons if caused & set(reason.steps)]:
        return tuple(there[:1])
    placed = [reason for reason in reasons if reason.kind != "idle"]
    return tuple((placed if placed or trace.decides else reasons)[:MOST_WHY_NOT])


def head_reasons(trace: Trace) -> tuple[Reason, ...]:
    """The reasons why not in the head of a picture: the one of its line that decides, and those below."""
    deciding = (reason for reason in trace.blocked if reason == trace.decides and _missing_line(trace))
    return (*deciding, *since_at_end(trace), *shown_blocked(trace))


def other_blocked(trace: Trace) -> tuple[Reason, ...]:
    """The reasons why not, without that of the line that decides, and without a rule that the CAUSE names."""
    caused = " ".join(step.note for step in trace.steps if step.cause) + trace.cause
    told = {reason for reason in trace.blocked if reason.kind == "rule" and f"{reason.about[0]} is " in caused}
    return tuple(
        reason
        for reason in trace.blocked
        if reason != trace.decides and reason not in told and not repeats(trace, reason)
    )


def _of(trace: Trace, step: Step) -> str:
    """The call of the CAUSE, unless its sentence begins with it."""
    return "" if speaks_of_step(trace, step) else f", {call_text(step)}"


def speaks_of_step(trace: Trace, step: Step) -> bool:
    """Whether the sentence about the CAUSE begins with the call of a step."""
    found = trace.contrast
    return found is not None and not found.failure and found.subject == call_text(step)


def _also(trace: Trace) -> str:
    """The further steps that are as much the CAUSE; of a CAUSE that is not proved, what is not known of it."""
    if unknown := not_known(trace):
        return f" ({unknown})"
    if not trace.also:
        return ""
    which = f"and {'step' if len(trace.also) == 1 else 'steps'} {names(list(map(str, trace.also)))}"
    return f" ({which}: {'together' if trace.together else 'each is enough'})"


def not_known(trace: Trace) -> str:
    """What is not known of a CAUSE that is not proved; "" of another one."""
    if trace.found_by == "unproved":
        return f"steps {names(list(map(str, trace.differing)))} differ; which of them matter is not known"
    if trace.found_by == "first":
        return "the first that differs; whether later ones do is not known"
    return ""


def first_difference(trace: Trace) -> str:
    """Which step is the first that the protocol before the edit does not allow, if it is not the CAUSE; else ""."""
    if trace.parted is None or trace.found_by == "unproved":
        return ""
    other = trace.against or f"the protocol {_before(trace)}"
    return f"The first step that {other} does not allow is step {trace.parted}."


def repetition(trace: Trace) -> str:
    """The steps of a lasso that repeat; for a finite run, that it stops."""
    last = len(trace.steps)
    if trace.loop is None:
        return f"the run stops after step {last}"
    if trace.loop == last:
        return f"nothing changes after step {last}" if last else "nothing ever happens"
    if trace.loop + 1 == last:
        return f"step {last} repeats for ever"
    return f"steps {trace.loop + 1} to {last} repeat for ever"


def model_briefly(trace: Trace) -> str:
    """The model with the constants that differ from their defaults; all are in the stored trace."""
    name, told = trace.display_name(), [n for n in trace.constants if n not in trace.usual]
    if not trace.usual:
        return model_line(trace)
    others = "other constants as by default" if told else "constants as by default"
    return f"{name}({', '.join([*(f'{n}={show(trace.constants[n])}' for n in told), others])})"


def model_line(trace: Trace) -> str:
    """The model with its constants: isis:DeliverAnyFinal(processes=3, workload=[1, 1, 0])."""
    constants = ", ".join(f"{name}={show(value)}" for name, value in trace.constants.items())
    name = trace.display_name()
    return f"{name}({constants})" if constants else name


def constants_text(constants: Mapping[str, Any]) -> str:
    """Constants as on a command line: processes=3 workload=1,1,0."""
    return " ".join(f"{name}={written(value)}" for name, value in constants.items())


def caption(trace: Trace, file: str | None = TRACE_FILE, blocked: Sequence[str] | None = None) -> list[tuple[str, str]]:
    """(what, text) lines on the origin of the trace; only known ones.  file: where the trace is stored, None if it is
    not; blocked: the disabled instances, if not all of them.
    """
    lines = [("model", model_line(trace))]
    if trace.revision:
        lines.append(("revision", f"{short_revision(trace.revision)} of {trace.reference.rpartition(':')[0]}"))
    described = trace.edit or trace.protocol or ""
    if described and not SAYS_NOTHING.fullmatch(described):
        lines.append(_described("edit" if trace.edit else "protocol", described))
    lines += [("why not", text) for text in (other_blocked(trace) if blocked is None else blocked)]
    if trace.claim:
        lines.append(("search", trace.claim))
    if trace.not_taken:
        lines.append(("enabled but never taken", ", ".join(trace.not_taken)))
    replay = f"checker replay {shlex.quote(file)}" if file else "--out DIR keeps the run for `checker replay`"
    return [*lines, ("replay", replay)]


def _described(kind: str, text: str) -> tuple[str, str]:
    """What a class is and says of itself: "CLAIM (Section 4): always." is a claim, with its source at the end;
    "READING: The reading in which nobody waits." a reading, without the words that the label has.
    """
    stated = re.match(r"([A-Z]{2,})( \([^()]*\))?(: | (?=[^.:]+: ))", text)
    if stated is None:
        return kind, text
    label = stated[1].lower()
    rest = re.sub(rf"^The {label}( in which|:| of| (?=\w*\())", "", text[stated.end() :]).lstrip()
    return label, f"{rest.removesuffix('.')}{stated[2]}." if stated[2] else rest


def is_decisive(trace: Trace, step: Step) -> bool:
    """Whether the line of its action is the one to look at first: for the CAUSE, if its note names no line; without a
    CAUSE for the step that violates the property.
    """
    if any(s.cause for s in trace.steps):
        return step.cause and not (trace.contrast is not None and trace.contrast.placed)
    return step.number == violating_step(trace)


def decisive_place(trace: Trace, step: Step) -> str:
    """The call of such a step, and the line of its action; of the step that settles a violation, or the earlier one
    that is named, what it does; "" for another step, and for one whose CAUSE is at the end or has no line of its own.
    """
    if step.number in (trace.settled, trace.earlier) and not step.cause:
        return trace.settles
    if step.number in trace.opposite and step.number != violating_step(trace):
        return trace.opposes[trace.opposite.index(step.number)]
    if not is_decisive(trace, step) or trace.cause and not trace.decides:
        return ""
    if trace.decides and not step.cause:
        return f"{call_text(step)}: {trace.decides}"
    if step.source is None:
        return ""
    return f"{call_text(step)} ({Path(step.source[0]).name}:{step.source[1]})"

"""The first screen of a comparison: the changes, their effects, and because of which step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from checker.language.constants import written
from checker.report.compare.cost_table import pace_words
from checker.report.compare.steps import events_text, outcome_text
from checker.report.phrases import call_text
from checker.report.wording import constants_text, not_known, note_in_short, now_and_before, speaks_of_step
from checker.results.checked import Report
from checker.results.comparison import END, Comparison, Difference, Proof, PropertyChange
from checker.results.rules import RuleComparison
from checker.results.verdict import REFUTED, Compared, Verdict
from checker.trace.trace import Trace
from checker.wording import counted, listed

MOST_NAMES = 6
MOST_TEXT = 60  # of a value before and after
VALUES = ("constant", "derived value", "type", "attribute")
Entry = tuple[str, str, str]  # key, text, style
RELATIONS = {"incomparable": "neither weaker nor stronger", "undecided": "not decided"}


def summary(c: Comparison) -> Iterator[Entry]:
    """Key, text and style of each line."""
    if not c.related:
        neither = "neither is an edit of the other, nor do both edit one model"
        yield "unrelated", f"{neither}: what differs is two protocols", "yellow"
    if c.renamed:
        nothing_else = not c.sources and not any(p.redefined for p in c.properties)
        same = c.proof is not None or (c.steps is not None and c.steps.complete and not c.steps_differ)
        alone = "; nothing else: the same steps" if same else "; nothing else"
        yield "renamed", f"{listed(c.renamed, MOST_NAMES)}{alone * nothing_else}", ""
    broken, new_outcomes = bool(c.changed("broken")), bool(c.outcomes and c.outcomes.new)
    new_events = c.behaviours is not None and c.behaviours.added is not None
    if broken:
        yield from breaking(c.changed("broken"), c.given, bool(c.edit.reduced))
    if new_outcomes:
        yield from _outcomes(c)
    if new_events:
        yield from _events(c)
    first = c.steps is not None and c.steps.added is not None and not (broken or new_outcomes or new_events)
    if first:
        yield from _steps(c)
    for p in c.properties:
        if p.redefined is not None:
            yield "property", f"{p.name} {p.note}", "" if p.before == p.after else "bold yellow"
    yield from _changed(c)
    if c.proof is not None:
        yield "proved", _proof_text(c.proof), "green"
    if not broken:
        yield from _common(c)
    for p in c.changed("repaired"):
        yield "repairs", f"{p.name}" + (f": {p.note}" if p.note and p.redefined is None else ""), "green"
    for reason in c.undecided:
        yield "undecided", reason, "yellow"
    yield from _growing(c)
    single = [p.name for p in c.properties if p not in c.common]
    if single:
        yield "one side", f"{listed(single, MOST_NAMES)}: a property of one of the two only", "yellow"
    if not first:
        yield from _steps(c, told=broken)
    if not new_events:
        yield from _events(c)
    if not new_outcomes:
        yield from _outcomes(c)
    yield from _cost(c)
    if c.left_open:
        yield "open", c.left_open, "yellow"


def _growing(c: Comparison) -> Iterator[Entry]:
    """What still grew when a limit ended a search, if that leaves something open."""
    if c.proof is not None:
        return
    names = {"base": c.before, "edit": c.after}
    grown = {names[side]: r.growing.sentence for side, r in _sides(c) if r.growing is not None}
    if len(grown) == 2 and len(set(grown.values())) == 1:
        yield "grows", f"in both: {grown[c.after]}", "yellow"
    else:
        yield from (("grows", f"in {name}: {sentence}", "yellow") for name, sentence in grown.items())


def _changed(c: Comparison) -> Iterator[Entry]:
    """The parts whose text differs, by kind, and z3's results for the rules; then the rules that differ because of a
    rule that they call.
    """
    relations = {r.name: _relation(r, c) for r in c.rules if r.relation != "skipped"}
    misspelt = [f.subject for f in c.misspelt]
    kinds: dict[str, list[str]] = {}
    for d in c.sources:
        if d.name not in misspelt:
            relation = relations.get(d.name)
            kinds.setdefault(d.kind, []).append(f"{d.name} ({relation})" if relation else _named(d, c))
    for name in misspelt:
        yield "changed", f"nothing by {name}, which overrides nothing and which nothing calls", "bold yellow"
    for kind, names in kinds.items():
        yield "changed", f"{kind if len(names) == 1 else _plural(kind)} {listed(names, MOST_NAMES)}", ""
    if not c.sources and len(c.common) == len(c.properties):
        if c.renamed:
            return
        what = "nothing in this model" if c.version else f"{c.after} is the same as {c.before}: nothing is edited"
        yield "changed", what, "" if c.version else "yellow"
    elif not c.sources:
        yield "changed", "nothing in rules, actions, variables, types, constants and derived values", ""
    edited = {d.name for d in c.sources}
    through = [f"{r.name} ({relations[r.name]})" for r in c.rules if r.name in relations and r.name not in edited]
    if through:
        yield "so also", f"{'rule' if len(through) == 1 else 'rules'} {listed(through, MOST_NAMES)}", ""


def _named(d: Difference, c: Comparison) -> str:
    """A part that differs; for a value, the former and the new one; whether one side alone has it."""
    if d.kind not in ("default", "property") and bool(d.before) != bool(d.after):
        return f"{d.name} ({'new' if d.after else 'removed'})"
    if d.kind == "default":
        return f"{d.name}: {d.before} → {d.after}, both run with {written(c.constants[d.name])}"
    if d.kind == "property" and not d.after and any(p.name == d.name for p in c.common):
        return f"{d.name} (not listed any more; compared all the same)"
    short = d.before and d.after and len(d.before + d.after) < MOST_TEXT
    return f"{d.name}: {d.before} → {d.after}" if d.kind in VALUES and short else d.name


def _proof_text(proof: Proof) -> str:
    """What makes every step the same, where, and what follows."""
    text = f"{_everywhere(proof)} every step of base and edit is the same, and so is every verdict, outcome and event"
    if not proof.rules:
        return f"{text}: they differ in nothing that a step or a property reads"
    rules, have = listed([*proof.rules], MOST_NAMES), "has" if len(proof.rules) == 1 else "have"
    return f"{text}: {rules} {have} the same value in every state of the types, reachable or not (z3)"


def _everywhere(proof: Proof) -> str:
    number = len(proof.configurations)
    few = {1: "in this configuration", 2: "in both configurations"}
    return few.get(number, f"in all {counted(number, 'configuration')}")


def _relation(rule: RuleComparison, c: Comparison) -> str:
    """stronger, first in 9 steps."""
    if rule.relation == "equivalent":
        where = f"with {constants_text(c.given) or 'the default constants'}"
        if c.proof is not None and len(c.proof.configurations) > 1:
            where = _everywhere(c.proof)
        return f"the same in every state {where}" + (f", {rule.note}" if rule.note else "")
    where = f", {rule.note}" if rule.note else ""
    if rule.reached is not None:
        steps = len(rule.reached.steps)
        where = f", first in {counted(steps, 'step')}" if steps else ", already at the start"
    return RELATIONS.get(rule.relation, rule.relation) + where


def _common(c: Comparison) -> Iterator[Entry]:
    """The sentence that no common property is broken, if none is."""
    if not c.common:
        return
    common = [p for p in c.common if not p.former]
    both = [p.name for p in common if p.after in REFUTED and p.before in REFUTED]
    worse = f"; violated by both: {listed(both, MOST_NAMES)}" if both else ""
    so_far = " so far" * (c.proof is None and any(p.after == Verdict.UNKNOWN for p in c.common))
    are = "one property is" if len(common) == 1 else f"{len(common)} properties are"
    yield "breaks", f"nothing new{so_far}: {are} in common{worse}", "green" if c.verdict is Compared.SAME else ""


def breaking(found: Iterable[PropertyChange], given: Mapping[str, Any], reduced: bool) -> Iterator[Entry]:
    """The properties that an edit breaks, and because of which step: known as soon as both are searched.  given: the
    constants, if they are not the defaults; reduced: the edit was searched with a reduction, so that no run is known to
    be a shortest one.
    """
    broken = sorted(found, key=lambda p: len(p.trace.steps) if p.trace else 0)
    where = f", with {constants_text(given)}" if given else ""
    yield "breaks", f"{listed([p.name for p in broken], MOST_NAMES)}{where}", "bold red"
    shown = next((p for p in broken if p.cause is not None), broken[0])
    if shown.trace is not None:
        yield from _because(shown, shown.trace, reduced)
        if shown.trace.witness:
            yield "against" if shown.trace.asks else "so that", shown.trace.witness, ""


def _because(p: PropertyChange, trace: Trace, reduced: bool) -> Iterator[Entry]:
    """The first different step on the run that breaks a property, and the rule that decides it, now and before."""
    unknown = f"; {not_known(trace)}" if not_known(trace) else ""
    run = f"({p.name}, a{' shortest' * (not reduced)} run of {counted(len(trace.steps), 'step')}{unknown})"
    step = None if p.cause is None else trace.steps[p.cause - 1]
    note = trace.cause or (trace.steps[-1].note if trace.steps else "") if step is None else step.note
    now, before = (note, "") if trace.contrast is None else now_and_before(trace.contrast)
    if step is None and p.redefined is not None and p.redefined.of_base in REFUTED:
        yield "because", f"the property changed: the model before violates it as it is now, too {run}", ""
        return
    if step is None:
        yield "because", f"{now or 'no step of the run is one that was not allowed before'} {run}", ""
    elif not before:
        is_call = f"step {step.number} is {call_text(step)}: {now or 'not allowed before'}"
        told = f"in step {step.number} {now}" if speaks_of_step(trace, step) else is_call
        yield "because", f"{told} {run}", ""
    else:
        yield "because", f"step {step.number} is {call_text(step)} {run}", ""
        yield "now", now, ""
    if before:
        yield "before", before, ""


def _steps(c: Comparison, told: bool = False) -> Iterator[Entry]:
    """The first step that one side alone can take, or that there is none.  told: the answer already names the step that
    breaks a property, and no other beside it.
    """
    if c.steps is None:
        if c.steps_apart:
            yield "steps", f"not compared: {c.steps_apart}", "yellow"
        return
    if c.steps.complete and c.steps.added is None:
        same = "every run of one is a run of the other"
        every = same if c.steps.removed is None else "each of its runs is one of the base"
        yield "steps", f"none is new: {every} ({c.steps.states:,} common states)", "green"
    runs = [t if t is not None and t.steps else None for t in (c.steps.added, c.steps.removed)]
    if told and runs[0] is not None:
        sides = [word for word, run in zip(("new", "gone"), runs) if run is not None]
        yield "steps", f"{' and '.join(sides)} ones; checker compare --all shows the first of them", ""
        return
    first = [None if t is None else f"step {len(t.steps)}, {call_text(t.steps[-1])}" for t in runs]
    note = "" if runs[0] is None else note_in_short(runs[0], runs[0].steps[-1])
    why = f": {note}" if note else ""
    if first[0] == first[1] and first[0] is not None and all(c.steps.elsewhere) and not any(c.steps.cut):
        yield "steps", f"{first[0]}, leads elsewhere on a shortest run, the first difference{why}", "bold yellow"
        return
    for word, text in zip(("the first new one", "the first that is gone"), first):
        if text is not None:
            new = text is first[0]
            yield "steps", f"{word} on a shortest run: {text}{why * new}", "bold yellow" if new else ""


def _events(c: Comparison) -> Iterator[Entry]:
    """The first sequence of events that one side alone has, or that there is none."""
    found = c.behaviours
    if found is None:
        return
    if found.complete and found.added is None:
        every = "both have the same sequences" if found.removed is None else "every sequence is one of the base"
        yield "events", f"none is new: {every}", "green"
    sequences = (("a new sequence", "base", found.added), ("one that is gone", "edit", found.removed))
    for word, other, separation in sequences:
        if separation is not None:
            style = "bold yellow" if separation is found.added else ""
            ends = f"; no run of the {other} does" * (separation.events == (END,))
            yield "events", f"{word}: {events_text(separation)}{ends}", style


def _outcomes(c: Comparison) -> Iterator[Entry]:
    found = c.outcomes
    if found is None:
        return
    if not found.new and not found.gone:
        yield "outcomes", f"the same {found.after:,}" if found.after else "none, as before", "dim"
        return
    counts = f"{found.before:,} before, {found.after:,} after: {found.new:,} new, {found.gone:,} gone"
    yield "outcomes", counts, "bold yellow" if found.new else ""
    for sign, runs in (("new", found.added), ("gone", found.removed)):
        for run in runs[:1]:
            yield "", f"{sign}: {outcome_text(run.example)}" + (f"; {run.note}" if run.note else ""), ""


def _as_before(c: Comparison) -> str:
    """Nothing was before if both were searched with the constants of the edit."""
    return "in both" if any(d.kind == "default" for d in c.sources) else "as before"


def _cut_off(c: Comparison) -> str:
    """Why the numbers of states of the two searches are no costs: the searches were cut off; "" if they were not.  A
    proof of equal steps needs no whole search."""
    if c.proof:
        return ""
    bounds = [f"the search of the {side} was {r.ended}" for side, r in _sides(c) if r.bound]
    errors = [f"an error cut off runs of the {side}" for side, r in _sides(c) if r.has_error]
    return "; ".join([*bounds, *errors])


def _sides(c: Comparison) -> tuple[tuple[str, Report], tuple[str, Report]]:
    return ("base", c.base), ("edit", c.edit)


def _cost(c: Comparison) -> Iterator[Entry]:
    before, after = f"{c.base.distinct:,}", counted(c.edit.distinct, "state")
    if cut := _cut_off(c):
        yield "cost", f"not compared: {cut}", ""
        return
    if c.base.reduced or c.edit.reduced:
        parts = [f"states: {' → '.join(map(states_text, (c.base, c.edit)))}"]
    else:
        parts = [f"{before} → {after}" if c.base.distinct != c.edit.distinct else f"{after}, {_as_before(c)}"]
        parts += ["no more were explored"] * bool(c.proof and c.edit.bound)
    if c.costs is not None:
        for word in ("steps", "messages"):
            a, b = (getattr(side, word) for side in c.costs)
            if a is not None and b is not None and str(a) != str(b):
                parts.append(f"{a} → {b} {word} to an outcome")
        parts.append(pace_words(*c.costs))
    yield "cost", "; ".join(filter(None, parts)), ""


def states_text(report: Report) -> str:
    """The number of explored states, and whether those are all."""
    return f"{report.distinct:,}{' of a reduced graph' * bool(report.reduced)}"


def _plural(kind: str) -> str:
    return "properties" if kind == "property" else "initial methods" if kind == "initial" else f"{kind}s"

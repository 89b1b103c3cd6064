"""The trace as one HTML page: the diagram beside a stepper that shows the full state at every step.

The page is one file without any reference to the network, so that it can be attached to a build or mailed. Its frame,
style and script are the files head.html, page.html, page.css, run.js and page.js beside this module; the page of
`checker explore` (`explore`) shares head, style and run.js. This module makes all texts; the script only inserts them,
as text, never as markup.

The picture keeps its colours in light mode; in dark mode each of its few colours is replaced by one that was tested for
contrast on a dark ground. Without a picture (no `dot` program) the page still has the stepper and the text report.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from checker.report import dot
from checker.report.beside import beside_data, beside_section
from checker.report.boxes import acting_lane
from checker.report.elision import rows_of, spans
from checker.report.explained import why_not
from checker.report.marks import Mark, violating_step
from checker.report.phrases import call_text, step_text
from checker.report.said import Said, Weight
from checker.report.step_marks import listed_marks, step_marks
from checker.report.text import step_details, step_title, text_report
from checker.report.wording import STRONG, TRACE_FILE, caption, guilty_said, title, witness
from checker.results.explained import Background
from checker.trace.difference import maps_lanes
from checker.trace.messages import Message, messages
from checker.trace.trace import Step, Trace
from checker.trace.values import show

# The colours of the diagram and the page's variables that stand for them.
COLOURS = {
    dot.WHITE: "card",
    dot.INK: "ink",
    dot.GREY: "grey",
    dot.LINE: "line",
    dot.MESSAGE: "message",
    dot.VIOLATION: "violation",
    dot.CAUSE_TINT: "cause",
    dot.VIOLATION_TINT: "wrong",
    dot.DELIVER_TINT: "observed",
}

ZOOM = (
    '<nav class="zoom"><button id="smaller" aria-label="smaller">&minus;</button>'
    '<button id="fit" aria-label="as wide as the window">fit</button>'
    '<button id="larger" aria-label="larger">+</button></nav>'
)
READABLE = 0.86  # of its size, in which the smallest print of a diagram, of 9 points, is ten pixels high


def html_report(
    trace: Trace, svg: str | None = None, background: Background = Background(), file: str | None = TRACE_FILE
) -> str:
    """The page of a trace.  svg: its space-time diagram, None to leave the picture out; background: information from
    the model; file: where the trace is stored, None if it is not.
    """
    return filled(
        "page.html",
        title=html.escape(title(trace)),
        style=style(),
        heading="violation" if trace.is_violation() else "",
        witness=html.escape(witness(trace)),
        guilty="".join(map(_guilty, guilty_said(trace))),
        origin="".join(_origin(what, text) for what, text in caption(trace, file)),
        picture=f'<section class="card diagram">{ZOOM}{inline(svg, caption=False)}</section>' if svg else "",
        beside=beside_section(trace, background.beside),
        lanes="".join(f"<option>{html.escape(lane)}</option>" for lane in trace.lanes),
        last=len(trace.steps),
        text=html.escape(text_report(trace, headed=False)),
        guards=_guards(background.guards),
        data=in_script(page_data(trace, background)),
        script=part("run.js") + part("page.js"),
    )


def filled(frame: str, **texts: object) -> str:
    """A page: the head that all have, and a frame, with these texts in their places."""
    return Template(part("head.html") + part(frame)).substitute(texts)


def _guilty(part: Sequence[Said]) -> str:
    """A sentence about the reasons, its strong part in bold."""
    texts = ((html.escape(said.text), said.weight is Weight.STRONG) for said in part)
    return f"<p>{' '.join(f'<strong>{text}</strong>' if strong else text for text, strong in texts)}</p>"


def _origin(what: str, text: str) -> str:
    look = "" if what in STRONG else ' class="origin"'
    return f"<p{look}>{html.escape(f'{what}: {text}')}</p>"


def _guards(sentences: tuple[str, ...]) -> str:
    items = "".join(f"<li>{html.escape(text)}</li>" for text in sentences)
    summary = "<summary>What guards blocked in the states explored</summary>"
    return f"<details>{summary}<ul>{items}</ul></details>" if items else ""


def inline(svg: str, caption: bool = True) -> str:
    """An SVG file as an element of a page: no prolog, no fixed size (except for a minimum to be readable: in a narrow
    window it scrolls), its title as a label, without a tooltip.  caption: False if the page itself has the text above
    the lanes.
    """
    body, found = svg[svg.index("<svg") :], re.search(r"<title>([^<]*)</title>\n?", svg)
    if found is not None:
        body = body.replace(found[0], "", 1).replace(' role="img"', f' role="img" aria-label="{found[1]}"', 1)
    if not caption:
        above, graph, drawn = body.partition('<g id="node1"')
        body = re.sub(r"<text .*?</text>\n", "", above) + graph + drawn
    size = re.match(r'<svg width="(\d+)pt" height="[^"]*"', body)
    return body if size is None else f'<svg style="min-width: {READABLE * int(size[1]):.0f}pt"{body[size.end() :]}'


def page_data(trace: Trace, background: Background = Background()) -> dict[str, Any]:
    """The data for the script: one entry for the initial state and one for each step."""
    sent = messages(trace)
    row_of, marks = rows_of(spans(trace)), step_marks(trace)
    steps = [{"title": "initial state", "row": 0, "lines": [], **_state(trace, 0)}]
    for step in trace.steps:
        steps.append(
            {
                **step_data(trace, step, sent, marks.get(step.number)),
                "row": row_of[step.number],
                **_state(trace, step.number),
            }
        )
    for entry, found in zip(steps, background.possible):
        enabled = list(found.explanation.enabled)
        entry |= {"enabled": enabled, "refused": why_not(found), "about": background.about}
    for name, truths in background.verdicts.items():
        for entry, truth in zip(steps, truths):
            entry["verdicts"].append([name, [truth, truth if truth in ("true", "false") else ""]])
    if background.edited:
        steps[next((step.number for step in trace.steps if step.cause), -1)]["edited"] = list(background.edited)
    if background.beside is not None:
        for number, found_there in beside_data(trace, background.beside).items():
            steps[number]["beside"] = found_there
    taken = {step.action for step in trace.steps}
    return {
        "lanes": list(trace.lanes),
        "opens": opening_step(trace),
        "steps": steps,
        "sources": {name: text for name, text in background.sources.items() if name in taken},
    }


def step_data(trace: Trace, step: Step, sent: Mapping[int, Message], mark: Mark | None) -> dict[str, Any]:
    """One step: the actor and the action, the changes, and the place of its action; mark: its mark in a picture."""
    lane, head = acting_lane(step, sent), step_text(step, sent)
    lines = step_details(trace, step, head, lane, sent)
    lines += [f"why not: {text}" for text in trace.blocked] if step.number == len(trace.steps) else []
    found: dict[str, Any] = {
        "title": step_title(trace, step, sent, mark),
        "lines": lines,
        "call": call_text(step),
        "action": step.action,
        "lane": lane,
    }
    if marked := listed_marks(trace, step, mark):
        found["mark"] = marked[-1]
    if step.source:
        found["source"] = f"{step.source[0]}:{step.source[1]}"
    return found


def opening_step(trace: Trace) -> int:
    """The step to show first: the cause, else the one that violates the property, else the last."""
    cause = next((step.number for step in trace.steps if step.cause), None)
    return cause if cause is not None else violating_step(trace) or len(trace.steps)


def _state(trace: Trace, index: int) -> dict[str, Any]:
    """The whole state: lane variables as a table over the lanes, the others as a list, properties with their truth."""
    state, before = trace.states[index], trace.states[max(index - 1, 0)]
    lanes: list[list[Any]] = []
    others: list[list[Any]] = []
    for name, value in state.items():
        old = before.get(name)
        if isinstance(value, Mapping) and maps_lanes(value, trace.lanes):
            previous = old if isinstance(old, Mapping) else {}
            cells = [
                [show(value[lane]), "changed" if value[lane] != previous.get(lane) else ""] if lane in value else ""
                for lane in trace.lanes
            ]
            lanes.append([name, *cells])
        else:
            others.append([name, [show(value), "changed" if value != old else ""]])
    verdicts = [[name, [show(truth[index]), show(truth[index])]] for name, truth in trace.verdicts.items()]
    return {"lanes": lanes, "globals": others, "verdicts": verdicts}


def _recolour() -> str:
    """Style rules which exchange the colours of the diagram for those of a dark page."""
    rules = []
    for written, name in [*((colour.lower(), name) for colour, name in COLOURS.items()), ("white", COLOURS[dot.WHITE])]:
        for attribute in ("fill", "stroke"):
            rules.append(f'  .diagram svg [{attribute}="{written}"] {{ {attribute}: var(--{name}); }}\n')
    return "@media (prefers-color-scheme: dark) {\n" + "".join(sorted(rules)) + "}\n"


def in_script(data: Any) -> str:
    """Data as the text of a script element."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def style() -> str:
    """The style sheet of every page with a run."""
    return part("page.css") + _recolour()


@cache
def part(name: str) -> str:
    """A file beside this module that is a part of pages."""
    return (resources.files("checker.report") / name).read_text(encoding="utf-8")

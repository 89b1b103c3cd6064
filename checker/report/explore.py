"""The page of `checker explore`, and its data as JSON: a run, its end, results of searches from there.

The page has the style of a trace's page (`html`) and shows a step in the same way; its own frame, style and script are
the files explore.html, explore.css and explore.js. A run is described as on the page of a trace, so that both describe
a step alike. Everything is text, which the script inserts as text.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from checker.report.dot import NotDrawn, render
from checker.report.explained import why_not
from checker.report.html import filled, in_script, inline, page_data, part, step_data, style
from checker.report.space_time import space_time
from checker.report.wording import constants_text, witness
from checker.results.explained import Background
from checker.results.verdict import LookedFor
from checker.results.walked import Choice, Here, Onwards, Walked
from checker.trace.messages import messages
from checker.trace.trace import Trace
from checker.wording import counted


def explore_page(name: str, about: str, constants: Mapping[str, Any], begin: str, seconds: float, nonce: str) -> str:
    """The page.  about: the model's description; begin: the path of the run that it opens with; seconds: the time limit
    of a search; nonce: of its script.
    """
    return filled(
        "explore.html",
        title=html.escape(name),
        about=html.escape(about),
        constants=html.escape(constants_text(constants)),
        style=style() + part("explore.css"),
        data=in_script({"begin": begin, "seconds": seconds}),
        script=part("run.js") + part("explore.js"),
        nonce=nonce,
    )


def run_data(walked: Walked) -> dict[str, Any]:
    """A run, step by step, with properties and predicates in each of its states."""
    found = page_data(walked.trace, Background(verdicts=walked.verdicts))
    pins = [{"predicate": p.predicate, "truths": p.truths, "reasons": p.reasons, "wrong": p.wrong} for p in walked.pins]
    return found | {"path": walked.path, "pins": pins, "seal": walked.seal, "witness": witness(walked.trace)}


def here_data(here: Here) -> dict[str, Any]:
    """The enabled steps at the end of a run."""
    return {
        "path": here.path,
        "choices": [_choice(choice) for choice in here.choices],
        "more": here.more,
        "refused": why_not(here.answer),
        "broken": here.broken,
        "cut": here.cut,
        "starts": here.starts,
    }


def _choice(choice: Choice) -> dict[str, Any]:
    found: dict[str, Any] = {"number": choice.number, "name": choice.name, "failure": choice.failure}
    if choice.after is not None:
        step = choice.after.steps[-1]
        told = step_data(choice.after, step, messages(choice.after), None)
        title = str(told["title"]).removeprefix(str(step.number)).strip()
        found |= {"title": title, "lines": told["lines"] or ["changes nothing"], "breaks": choice.breaks}
        found |= {"cut": choice.cut, "fault": step.fault}
    return found


def picture_data(trace: Trace) -> dict[str, Any]:
    """The diagram of a run; without one, the reason."""
    try:
        return {"svg": inline(render(space_time(trace)).decode("utf-8"), caption=False)}
    except NotDrawn as missing:
        return {"missing": str(missing)}


def onwards_data(found: Onwards) -> dict[str, Any]:
    """The result of a search from here, as a sentence, and the path to it."""
    explored = f"{counted(found.distinct, 'state')} explored"
    if found.verdict is LookedFor.FOUND:
        told = f"{counted(found.steps, 'step')} from here, the nearest such state" if found.steps else "it is true here"
    elif found.verdict is LookedFor.NONE:
        told = f"no state that can be reached from here satisfies it ({explored})"
    else:
        ended = found.bound.ended if found.bound is not None else "incomplete"
        told = f"not decided: the search was {ended} ({explored})"
    return {"verdict": found.verdict, "path": found.path, "text": told}

"""Broken properties as SARIF 2.1.0, which code hosts and editors show at the line of the source.

A rule is a property, a result one case that failed (a warning if it was not decided).  Its place is the line that the
change touches (`verify --since`), else that of the guilty edited rule, else that of the property if it is in the
repository, else that of the last action.  The trace is its code flow (one location for each step, at the action), and
the property, the model and those actions are related locations.  Steps of the language itself (crash, loss) have no
line and are placed at the model's class.  Paths are relative to %SRCROOT%, which the reader of the file sets; nothing
in the file depends on the location of the project.  A place outside of the repository is only named in words, because a
host shows no result with such a place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from checker.report.suite import Case, Place, Suite, first_inside, not_passed, step_texts
from checker.version import VERSION
from checker.wording import counted

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif_log(suites: Sequence[Suite]) -> str:
    """The SARIF text of all suites."""
    failed = not_passed(suites)
    rules: dict[str, dict[str, Any]] = {}
    for suite in suites:
        for case in suite.cases:
            rules.setdefault(_rule_id(suite, case), _rule(suite, case))
    index = {name: number for number, name in enumerate(rules)}
    results = [_result(suite, case, index) for suite, case in failed]
    driver = {"name": "checker", "semanticVersion": VERSION, "rules": list(rules.values())}
    run: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    if any(suite.is_unfinished for suite in suites):
        run["invocations"] = [{"executionSuccessful": False}]
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _rule_id(suite: Suite, case: Case) -> str:
    """With the folders of the file, so that files of one name differ; a slash would make it a sub-rule."""
    return f"{suite.reference.lstrip('./').replace('/', '.')}:{case.name}"


def _rule(suite: Suite, case: Case) -> dict[str, Any]:
    meaning = case.meaning or f"{case.name} of {suite.reference}"
    rule = {"id": _rule_id(suite, case), "name": case.name}
    return {**rule, "shortDescription": {"text": meaning}, "properties": {"kind": case.kind}}


def _result(suite: Suite, case: Case, index: dict[str, int]) -> dict[str, Any]:
    rule, message = _rule_id(suite, case), case.message or f"{case.name} is {case.verdict}"
    identity = hashlib.sha256(f"{suite.name}\n{case.name}".encode()).hexdigest()
    place = first_inside(case.place, suite.place)
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": index[rule],
        "level": "error" if case.is_wrong else "warning",
        "message": {"text": f"{suite.name}: {message}"},
        "locations": [_location(place)] if place else [],
        "partialFingerprints": {"modelAndProperty/v1": identity},
    }
    related = _related(suite, case)
    if related:
        result["relatedLocations"] = related
    if case.trace is not None and case.trace.steps:
        steps = {"text": counted(len(case.trace.steps), "step")}
        result["codeFlows"] = [{"message": steps, "threadFlows": [{"locations": _flow(suite, case)}]}]
    return result


def _flow(suite: Suite, case: Case) -> list[dict[str, Any]]:
    assert case.trace is not None
    found = []
    for step, place, text in zip(case.trace.steps, case.places, step_texts(case.trace)):
        where = first_inside(place, suite.place)
        location = {**(_location(where) if where else {}), "message": {"text": f"{step.number}. {text}"}}
        importance = "essential" if step.cause or step.number == len(case.trace.steps) else "important"
        found.append({"location": location, "executionOrder": step.number, "importance": importance})
    return found


def _related(suite: Suite, case: Case) -> list[dict[str, Any]]:
    """The property, the model's class and the actions of the trace, each once, in the order of first steps."""
    named: dict[Place, str] = {}
    if case.guilty is not None and case.guilty != case.place:
        named[case.guilty] = "the line that decides the CAUSE, a step that the protocol before the edit does not allow"
    if case.stated is not None and case.stated != case.place:
        named[case.stated] = f"the property {case.name}"
    if suite.place is not None:
        named[suite.place] = f"the model {suite.reference}"
    for step, place in zip(case.trace.steps if case.trace else (), case.places):
        if place is not None:
            named.setdefault(place, f"{step.action}, first taken in step {step.number}")
    return [
        {"id": number, **_location(place), "message": {"text": text}}
        for number, (place, text) in enumerate(((p, text) for p, text in named.items() if p.inside), 1)
    ]


def _location(place: Place) -> dict[str, Any]:
    artifact = {"uri": quote(place.file), "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": max(place.line, 1)}}}

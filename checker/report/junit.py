"""Suites as JUnit XML, the form in which build servers (Jenkins, GitLab, Azure) show test results.

The format has no standard.  The output is valid by Jenkins' schema, with two additions that pytest also writes: file
and line of a case (GitLab links to them), and the reason of a skipped case.  Characters that XML 1.0 does not allow are
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as xml

from checker.report.suite import ERROR, FAILED, SKIPPED, Case, Suite
from checker.report.text import text_report

UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(suites: Sequence[Suite]) -> str:
    """The XML text of all suites.  One search decides all cases of a suite: the first case has its time, so that the
    sum is right.
    """
    root = xml.Element("testsuites", {name: value for name, value in _counts(suites).items() if name != "skipped"})
    for suite in suites:
        element = xml.SubElement(root, "testsuite", {"name": clean(suite.name), **_counts([suite])})
        if suite.constants:
            properties = xml.SubElement(element, "properties")
            for name, value in suite.constants:
                xml.SubElement(properties, "property", {"name": clean(name), "value": clean(value)})
        for number, case in enumerate(suite.cases):
            _case(element, suite, case, 0.0 if number else suite.seconds)
        notes = [suite.explored, suite.confirmed, *(f"warning: {text}" for text in suite.warnings)]
        if any(notes):
            xml.SubElement(element, "system-out").text = clean("\n".join(n for n in notes if n))
    xml.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, encoding="unicode") + "\n"


def clean(text: str) -> str:
    """A text without the characters that XML 1.0 forbids."""
    return UNWRITABLE.sub("\ufffd", text)


def _counts(suites: Sequence[Suite]) -> dict[str, str]:
    counts = {"tests": str(sum(len(s.cases) for s in suites))}
    for name, status in (("failures", FAILED), ("errors", ERROR), ("skipped", SKIPPED)):
        counts[name] = str(sum(s.count(status) for s in suites))
    return counts | {"time": f"{sum(s.seconds for s in suites):.3f}"}


def _case(parent: xml.Element, suite: Suite, case: Case, seconds: float) -> None:
    # GitLab tells cases apart by classname and name, so the constants belong to the classname.
    names = {"classname": clean(suite.name), "name": clean(case.name), "time": f"{seconds:.3f}"}
    where = (
        {}
        if case.place is None or not case.place.inside
        else {"file": clean(case.place.file), "line": str(case.place.line)}
    )
    element = xml.SubElement(parent, "testcase", names | where)
    if case.status in (FAILED, ERROR):
        kind = "failure" if case.status == FAILED else "error"
        body = case.message
        if case.trace is not None:
            body = f"{text_report(case.trace, file=case.stored)}\npicture: {suite.picture(case)}\n"
        xml.SubElement(element, kind, {"message": clean(case.message), "type": case.verdict}).text = clean(body)
    elif case.status == SKIPPED:
        xml.SubElement(element, "skipped", {"message": clean(case.message)})
    elif case.message:
        xml.SubElement(element, "system-out").text = clean(case.message)

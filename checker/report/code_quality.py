"""Failures as a code quality report of GitLab (a subset of Code Climate's format), which it shows in the changes of a
merge request.

An issue is one case that failed or was not decided, at the place that it has in SARIF.  GitLab requires a path in the
repository: an issue without one has the place of its model, else that of the repository's root.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from checker.report.suite import Case, Place, Suite, first_inside, not_passed

NOWHERE = Place(".", 1)


def code_quality(suites: Sequence[Suite]) -> str:
    """The JSON text of all suites."""
    failed = not_passed(suites)
    return json.dumps([_issue(suite, case) for suite, case in failed], indent=1, ensure_ascii=False) + "\n"


def _issue(suite: Suite, case: Case) -> dict[str, Any]:
    place = first_inside(case.place, suite.place) or NOWHERE
    return {
        "description": f"{suite.name}: {case.message or f'{case.name} is {case.verdict}'}",
        "check_name": f"{suite.reference.rsplit('/', 1)[-1]}:{case.name}",
        "fingerprint": hashlib.sha256(f"{suite.name}\n{case.name}".encode()).hexdigest(),
        "severity": "critical" if case.is_wrong else "minor",
        "location": {"path": place.file, "lines": {"begin": max(place.line, 1)}},
    }

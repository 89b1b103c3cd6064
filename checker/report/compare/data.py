"""A comparison as JSON data."""

from __future__ import annotations

from typing import Any

from checker.report.compare.configurations import beyond
from checker.report.compare.cost_table import cost_data
from checker.report.compare.rules import rule_data
from checker.report.compare.summary import summary
from checker.report.data import as_data, report_data
from checker.results.comparison import Comparison
from checker.results.configurations import FamilyComparison


def family_data(f: FamilyComparison) -> dict[str, Any]:
    """The configuration that is shown, as `comparison_data` has it; the verdict and exit code of all, what differs in
    each, those not looked at, and what is known of larger ones."""
    looked = "given states verdict broken repaired new gone added removed events steps undecided reduced proved"
    return {
        **comparison_data(f.shown),
        **as_data(f, "verdict exit_code validation interrupted"),
        "shown": f.place,
        "configurations": [
            {**as_data(row, looked), "new_step": row.new_step is not None, "gone_step": row.gone_step is not None}
            for row in f.looked
        ],
        "not_looked_at": [as_data(one, "given why") for one in f.passed],
        "seconds": dict(f.seconds),
        "beyond": {"rules": as_data(f.beyond), "larger": f.onward, "text": list(beyond(f))},
    }


def comparison_data(c: Comparison) -> dict[str, Any]:
    """Everything in the comparison; traces as ITF documents."""
    return {
        **as_data(c, "base=before edit=after constants verdict exit_code warnings undecided"),
        "open": c.left_open or None,
        "proof": as_data(c.proof),
        **as_data(c, "validation"),
        "summary": [[key, text] for key, text, _ in summary(c)],
        "source": as_data(c.sources),
        "rules": [rule_data(r) for r in c.rules],
        "properties": [as_data(p, "name kind before after change cause note trace") for p in c.properties],
        "outcomes": as_data(c.outcomes),
        "steps": as_data(c.steps, "states complete added removed"),
        "behaviours": as_data(c.behaviours, "sets complete states left_out unexplored added removed"),
        "costs": None if c.costs is None else cost_data(*c.costs),
        # without their traces: those that matter are named above
        "reports": {
            side: {k: v for k, v in report_data(report, {}).items() if k != "properties"}
            for side, report in (("base", c.base), ("edit", c.edit))
        },
    }

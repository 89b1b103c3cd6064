"""`checker rules`: the rules of two models over all states of their types, by z3."""

from __future__ import annotations

from typing import Any

from checker.analysis.compare.family import compare_family
from checker.analysis.compare.side import Side
from checker.analysis.sweep.choices import choices_of
from checker.catalogue import find
from checker.cli.arguments import constants_of_options, names_of_options
from checker.cli.misspelt import warn_first
from checker.cli.options import said
from checker.cli.output import Output
from checker.report.compare.family_table import family_data, family_lines, label
from checker.results.exit_codes import worst


def rules(base: str, edit: str, json_file: str | None, **options: Any) -> int:
    sides = (Side(find(base).cls, base), Side(find(edit).cls, edit))
    output, each, say = Output(json_file), choices_of(options["each"], "--each"), said(json_file)
    code = warn_first((side.cls for side in sides), output)
    family = compare_family(
        *sides,
        constants_of_options(options["constants"]),
        each,
        assuming=options["assuming"],
        only=names_of_options(options["rules"]),
        seconds=options["seconds"],
        reached=options["reached"],
        progress=lambda varied: say(label(varied)),
    )
    output.print(family_lines(family))
    output.write(lambda: family_data(family))
    return worst((code, family.exit_code))

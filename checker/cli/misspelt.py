"""A misspelt rule of an edit is reported before every answer about the model: the edit as written is not the intended
one.

`check`, `compare`, `verify` and `sweep` have it among their findings; the other commands that answer a question about a
model call this module.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from checker.analysis.vacuity.uncalled import misspelt_rules
from checker.cli.output import Output
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.results.exit_codes import HOLDS, VACUOUS


def warn_first(models: Iterable[type[Model]], output: Output) -> int:
    """Print a warning for each misspelt rule of these models, on standard error if standard output is not for text;
    return the exit code of this alone.
    """
    code = HOLDS
    for model in models:
        try:
            found = list(misspelt_rules(define(model)))
        except UsageError:  # what is wrong with the model is reported by the command itself
            continue
        for finding in found:
            code = VACUOUS
            if output.quiet:
                logging.getLogger("checker").warning("%s  [%s]", finding.text, finding.kind)
            else:
                output.print([(("warning  ", "bold yellow"), (finding.text, "bold"), (f"  [{finding.kind}]", "dim"))])
    return code

"""`python -m checker.editor FILE SECONDS`: what an editor shows of a file, a line of JSON for each class.

The lines are on standard output; the output of the model goes to standard error.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from checker.editor.examined import examined


def main(file: str, seconds: str) -> None:
    """Examine the file and write the results."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answer:
        os.dup2(2, 1)
        for one in examined(Path(file), float(seconds)):
            answer.write(f"{one.written()}\n")
            answer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The command `checker`: Ctrl-C in the first second ends it in one line too, while the program itself is still loaded.

This module imports nothing of the checker before it can answer.
"""

import sys


def main() -> None:
    """Load the program and run it; exit code 130 if Ctrl-C comes before that."""
    try:
        from checker.cli.program import main as run
    except KeyboardInterrupt:
        print("error: interrupted before there was a result", file=sys.stderr)
        sys.exit(130)
    run()

"""The command line: the commands collected, their errors reported, their exit code returned.

Everything heavy is imported by the command that needs it, so that a small model is checked in less than a second.  Exit
codes: 0 holds, 1 violated, 2 the model or the command is wrong as written, 3 vacuous, 4 inconclusive, 70 internal
error, 130 ended by Ctrl-C before there was anything to report.  Of several models the worst result wins.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from contextlib import suppress
from io import StringIO

import click

from checker.cli import comparing, questions, searching, suites, traces
from checker.cli.options import targets
from checker.language.errors import Undecided, UsageError
from checker.report.written import guarded, legible, unwritten
from checker.results.exit_codes import INTERNAL, INTERRUPTED, USAGE
from checker.stored.errors import StoredFileError
from checker.trust import begin
from checker.version import VERSION

OUTSIDE = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EIO,
    errno.EROFS,
    errno.EFBIG,
    errno.EMFILE,
    errno.ENFILE,
    errno.EACCES,
    errno.EPERM,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.ENAMETOOLONG,
    errno.ELOOP,
}
"""Errors of the system that are no fault of the program: full, read-only or broken disks, too many files, places where
nothing can be made."""

GROUPS = (searching, traces, suites, comparing, questions)


def main() -> None:
    """Run the command line and end the process with its exit code."""
    code = run(sys.argv[1:])
    # LLVM still compiles what was given up: its exit handlers must not run
    if any(thread.daemon and thread.name == "checker-aside" for thread in threading.enumerate()):
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.  Errors are reported on standard error, never as a traceback."""
    targets.clear()
    begin(arguments)
    unwritten.clear()
    with guarded():
        code = _run(arguments)
    for failed in unwritten:
        with suppress(OSError):
            click.echo(legible(f"error: {failed}"), err=True)
    return USAGE if unwritten else code


def _run(arguments: list[str]) -> int:
    try:
        return int(commands.main(arguments, prog_name="checker", standalone_mode=False) or 0)
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        click.echo(legible(told.getvalue()), err=True, nl=False)
        _write_misread(error, arguments)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except UsageError as error:
        return _wrong(error)
    except StoredFileError as error:
        return _wrong(UsageError(str(error)))
    except MemoryError:
        return _wrong(
            UsageError(
                "there is not enough memory for this, or less is allowed (ulimit -v, a control group)",
                remedy="Lower the constants, or allow more.",
            )
        )
    except RecursionError:
        return _wrong(
            UsageError(
                "what is to be read is nested too deeply", remedy="Name parts of it, and write it with fewer brackets."
            )
        )
    except Exception as error:
        if type(error).__name__ == "BdbQuit":  # `q` in a debugger that runs the command
            return INTERRUPTED
        if os.environ.get("CHECKER_DEBUG") == "1":
            raise
        if isinstance(error, OSError) and error.errno in OUTSIDE:
            return _wrong(UsageError(str(error) if error.filename is None else f"{error.filename}: {error.strerror}"))
        remedy = getattr(error, "remedy", "This is a fault of the checker. CHECKER_DEBUG=1 shows where.")
        failed = UsageError(f"internal error: {type(error).__name__}: {error}", remedy=remedy)
        click.echo(legible(str(failed)), err=True)
        with suppress(OSError):  # perhaps writing there is what failed
            _write(failed, INTERNAL)
        return INTERNAL
    except BaseException as error:
        # loaded by whoever raises its OutOfTime; importing it here would load numpy
        deadline = sys.modules.get("checker.search.deadline")
        if deadline is None or not isinstance(error, deadline.OutOfTime):
            raise
        return _wrong(Undecided(str(error), remedy="Raise --max-seconds, or lower the constants."))


def _wrong(error: UsageError) -> int:
    click.echo(legible(f"error: {error}"), err=True)
    _write(error, error.exit_code)
    return error.exit_code


def _write_misread(error: click.ClickException, arguments: list[str]) -> None:
    """A command that could not be read, written as any other error: --json may stand behind what is wrong, so it is
    looked for in the words themselves."""
    from checker.report.written import writable

    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
    named = [after for word, after in zip(words, words[1:]) if word == "--json"] + [
        w.removeprefix("--json=") for w in words if w.startswith("--json=")
    ]
    with suppress(UsageError, OSError):  # where nothing can be written, what was wrong first has been said
        for target in named[-1:]:
            writable(target)
            targets[:] = [target]
            _write(UsageError(error.format_message()), USAGE)


def _write(error: UsageError, exit_code: int) -> None:
    """Where --json asks for it, what went wrong."""
    if targets:
        from checker.report.data import error_data, write

        write(targets[0], {**error_data(error), "exit_code": exit_code})


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION)
def commands() -> None:
    """Checks models of message-passing protocols, exhaustively."""


for group in GROUPS:
    for command in group.COMMANDS:
        commands.add_command(command)


if __name__ == "__main__":
    main()

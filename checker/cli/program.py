"""The command line: a command run, its errors reported, its exit code returned.

Exit codes: 0 holds, 1 violated, 2 the model or the command is wrong as written, 3 vacuous, 4 inconclusive, 70 internal
error, 130 ended by Ctrl-C before there was anything to report.  Of several models the worst result wins.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from contextlib import suppress
from io import StringIO
from types import FrameType

import click

from checker.cli.commands import commands
from checker.cli.failed import RESULTS, outside_cause, write_error
from checker.language.errors import UsageError, debugging, internal_error
from checker.report.written import guarded, legible, unwritten, whole, writable
from checker.results.exit_codes import INTERNAL, INTERRUPTED, USAGE
from checker.trust import begin


def main() -> None:
    """Run the command line and end the process with its exit code.  SIGTERM, which build servers send, ends a command
    like Ctrl-C.
    """
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _interrupt)
    code = run(sys.argv[1:])
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    given_up = any(thread.daemon and thread.name == "checker-aside" for thread in others)
    # to take every module apart, as Python does, takes as long as a small search
    if given_up or not (others or "pyspark" in sys.modules or _watched()):
        with suppress(OSError, ValueError):
            _flush()
            if not given_up:  # LLVM still compiles what was: its exit handlers must not run
                atexit._run_exitfuncs()
                _flush()
        os._exit(code)
    sys.exit(code)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Do what Ctrl-C would do now; a second SIGTERM does nothing."""
    signal.signal(number, signal.SIG_IGN)
    interrupt = signal.getsignal(signal.SIGINT)
    if not callable(interrupt):  # ignored, as in a job in the background
        raise KeyboardInterrupt
    interrupt(signal.SIGINT, frame)


def _watched() -> bool:
    """Whether something has to do when Python ends: a profiler, a debugger, `python -i`."""
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    tools = [] if monitoring is None else [monitoring.get_tool(number) for number in range(6)]
    return bool(sys.flags.inspect or sys.getprofile() or sys.gettrace() or any(tools))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it was closed before the program began
            stream.flush()


def run(arguments: list[str]) -> int:
    """Run the command line; returns the exit code.  Errors are reported on standard error, never as a traceback."""
    begin(arguments)
    unwritten.clear()
    whole.clear()
    with guarded():
        code = _run(arguments)
    for failed in unwritten:
        with suppress(OSError):
            click.echo(legible(f"error: {failed}"), err=True)
    return USAGE if unwritten else code


def _run(arguments: list[str]) -> int:
    targets: dict[str, str] = {}  # files for results, by option: an error that ends the command is one
    try:
        return int(commands.main(arguments, prog_name="checker", standalone_mode=False, obj=targets) or 0)
    except click.ClickException as error:
        told = StringIO()
        error.show(told)
        click.echo(legible(told.getvalue()), err=True, nl=False)
        _write_misread(error, arguments)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        ended = UsageError("interrupted before there was a result")
        with suppress(OSError):
            click.echo(f"error: {ended}", err=True)  # click has ended the line in which the terminal shows ^C
            write_error(ended, targets, INTERRUPTED)
        return INTERRUPTED
    except BaseException as error:
        if type(error).__name__ == "BdbQuit":  # `q` in a debugger that runs the command
            return INTERRUPTED
        wrong = outside_cause(error)
        if wrong is not None:
            click.echo(legible(f"error: {wrong}"), err=True)
            write_error(wrong, targets, wrong.exit_code)
            return wrong.exit_code
        if not isinstance(error, Exception) or debugging():
            raise
        failed = internal_error(error)
        click.echo(legible(str(failed)), err=True)
        with suppress(OSError):  # perhaps writing there is what failed
            write_error(failed, targets, INTERNAL)
        return INTERNAL


def _write_misread(error: click.ClickException, arguments: list[str]) -> None:
    """Report a command line that could not be parsed like any other error; --json may come after the wrong part, so the
    words are searched for it.
    """
    words = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for name in RESULTS:
        named = [after for word, after in zip(words, words[1:]) if word == f"--{name}"] + [
            w.removeprefix(f"--{name}=") for w in words if w.startswith(f"--{name}=")
        ]
        with suppress(UsageError, OSError):  # where nothing can be written, what was wrong first has been said
            for target in named[-1:]:
                writable(target)
                write_error(UsageError(error.format_message()), {name: target}, USAGE)


if __name__ == "__main__":
    main()

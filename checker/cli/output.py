"""Where the results of a command go: text on standard output, or JSON, and reports of runs, with what the model says of
each.

With `--json -` nothing but JSON stands on standard output.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from checker.report.data import write
from checker.report.directory import ReportDirectory
from checker.report.lines import Line, wrapped
from checker.results.exit_codes import worst
from checker.results.explained import Background
from checker.trace.trace import Trace

if TYPE_CHECKING:
    from rich.console import Console

    from checker.language.model import Model


@define
class Output:
    """Prints the results of one command, and collects them for its JSON file.  silent: standard output is not for
    text."""

    json_file: str | None = None
    silent: bool = False
    _codes: list[int] = field(factory=list)
    _data: list[dict[str, Any]] = field(factory=list)
    _console: Any = None

    @property
    def quiet(self) -> bool:
        """Whether standard output is for something else than text."""
        return self.silent or self.json_file == "-"

    @property
    def console(self) -> Console:
        """Standard output; silent where JSON is written to it."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(quiet=self.quiet)
        return self._console  # type: ignore[no-any-return]

    def prepare(self) -> None:
        """Load the modules for printing while there is time, before there is anything to print."""
        if not self.quiet:
            import rich.text  # noqa: F401

            self.console  # noqa: B018

    @property
    def width(self) -> int | None:
        """The columns of the terminal on standard output; None if it is no terminal."""
        return self.console.width if self.console.is_terminal else None

    def line(self, text: str = "", style: str = "") -> None:
        """One line of plain text in one style."""
        self.print([((text, style),)])

    def print(self, lines: Iterable[Line]) -> None:
        """Print lines of a report, wrapped to the terminal if there is one; not even computed if standard output is not
        for text.
        """
        if self.quiet:
            return
        from rich.text import Text

        for line in lines:
            for part in [line] if self.width is None else wrapped(line, self.width):
                self.console.print(Text.assemble(*part), soft_wrap=True, highlight=False)

    def flush(self) -> None:
        """Hand on what was printed: a pipe otherwise gets it when the command has ended."""
        if not self.quiet:
            self.console.file.flush()

    def write(self, data: Callable[[], Any]) -> None:
        """Write the JSON file, if one is requested; otherwise the data are not even computed."""
        if self.json_file is not None:
            write(self.json_file, data())

    # Several results of one command

    def gather(self, code: int, data: Callable[[], dict[str, Any]]) -> None:
        """Keep the exit code of one of several results, and its data if they are to be written."""
        self._codes.append(code)
        self._data += [data()] if self.json_file is not None else []

    def finish(self) -> int:
        """Write the data of all results; returns the worst exit code."""
        code = worst(self._codes)
        self.write(lambda: self._data[0] if len(self._data) == 1 else {"reports": self._data, "exit_code": code})
        return code


def report_directory(out: str | None) -> ReportDirectory:
    """The directory that --out names; its pages list the enabled steps of each state, and why the others are
    disabled."""
    return ReportDirectory(out, model_background)


def model_background(trace: Trace, base: type[Model] | None = None) -> Background:
    """What the model says of a run.  base: the protocol with which the run was compared (default: the edited one)."""
    from checker.analysis.explain import background_if_known

    return background_if_known(trace, base)


def told(
    found: Any,
    lines: Callable[[Any, list[Path]], Iterable[Line]],
    data: Callable[[Any, list[Path]], dict[str, Any]],
    directory: ReportDirectory,
    output: Output,
) -> int:
    """Write the reports of the one run in a result, print the result, write its data; return its exit code."""
    files = directory.write_trace(found.trace) if found.trace else []
    output.print(lines(found, files))
    output.write(lambda: data(found, files))
    return int(found.exit_code)

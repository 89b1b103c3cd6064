"""`checker explore`: a page in the browser that walks through the runs of a model."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path as File
from typing import Any

from checker.analysis.explore import Explorer, Path
from checker.bound import Bound
from checker.catalogue import find
from checker.cli.arguments import constants_of_options, names_of_options
from checker.cli.output import Output
from checker.cli.serving import Answers, Served
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.errors import UsageError
from checker.report.directory import name_of, stored
from checker.report.explore import explore_page, here_data, onwards_data, picture_data, run_data
from checker.results.exit_codes import HOLDS
from checker.search.deadline import within
from checker.search.limits import Limits
from checker.trace.itf import to_itf
from checker.wording import first_paragraph

PATIENCE = 20.0
"""Seconds for a question that needs no search."""


def explore(
    name: str,
    constants: tuple[tuple[str, Any], ...],
    properties: tuple[str, ...],
    port: int,
    no_browser: bool,
    max_seconds: float,
) -> int:
    explorer = _explorer(name, constants, properties)
    served = Served(page_of(explorer, max_seconds), answers_of(explorer, max_seconds), port)
    output = Output()
    output.line(f"{explorer.reference}: {served.url}")
    output.line("  whoever knows this address can use the page; Ctrl-C ends it", "dim")
    sys.stdout.flush()
    try:
        with opened(served.url, no_browser):
            served.serve()
    except KeyboardInterrupt:
        output.line()
    return HOLDS


def _explorer(name: str, constants: tuple[tuple[str, Any], ...], properties: tuple[str, ...]) -> Explorer:
    """Of a model, or of the model of a stored trace."""
    if not (name.endswith(".json") or File(name).is_dir()):
        entry = find(name)
        definition = define(entry.cls, constants_of_options(constants), names_of_options(properties))
        return Explorer(interpreter_of(definition), entry.reference)
    if constants or properties:
        raise UsageError(
            "a trace has its own constants, and all properties of its model",
            remedy="Leave out -D and --property, or name the model.",
        )
    return Explorer.of_trace(stored(name))


def page_of(explorer: Explorer, max_seconds: float) -> Callable[[str], str]:
    """The function that makes the page."""
    definition, begin = explorer.definition, str(explorer.begin)
    about, constants = first_paragraph(definition.model.__doc__), definition.constants
    return lambda nonce: explore_page(explorer.reference, about, constants, begin, max_seconds, nonce)


def answers_of(explorer: Explorer, max_seconds: float) -> Answers:
    """The answers to the questions of the page, by name.  Raises UsageError for missing fields, or fields of another
    type.
    """

    def find(fields: dict[str, Any]) -> Any:
        predicate = _field(fields, "predicate", str)
        found = explorer.find(_path(fields), predicate, max_seconds, _field(fields, "at_end", bool))
        if found.bound is Bound.INTERRUPTED:
            raise KeyboardInterrupt
        return onwards_data(found)

    def trace(fields: dict[str, Any]) -> Any:
        run = explorer.at(_path(fields)).trace()
        return {"itf": to_itf(run), "file": f"{name_of(run)}.itf.json"}

    def patient(answer: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
        def answered(fields: dict[str, Any]) -> Any:
            with within(Limits(max_seconds=PATIENCE).begun(), "answering"):
                return answer(fields)

        return answered

    return {
        "run": patient(lambda fields: run_data(explorer.run(_path(fields), _field(fields, "predicates", list)))),
        "here": patient(lambda fields: here_data(explorer.here(_path(fields)))),
        "picture": patient(lambda fields: picture_data(explorer.at(_path(fields)).trace())),
        "trace": patient(trace),
        "find": find,
    }


def _path(fields: dict[str, Any]) -> Path:
    return Path.of(_field(fields, "path", str))


def _field(fields: dict[str, Any], name: str, kind: type) -> Any:
    found = fields.get(name)
    if not isinstance(found, kind) or isinstance(found, list) and not all(isinstance(text, str) for text in found):
        raise UsageError(f"the field {name} of the question is missing, or of another type")
    return found


@contextmanager
def opened(url: str, not_at_all: bool) -> Iterator[None]:
    """Open the page in the user's browser, if there is one.

    The browser opens a file that only the user can read and that redirects to the page: other users of the machine can
    see the arguments of a program.
    """
    shown = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not_at_all or not shown:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="checker-explore-") as folder:  # of this user alone
        file = File(folder) / "explore.html"
        file.write_text(f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={url}">', encoding="utf-8")
        try:
            webbrowser.open(file.as_uri())
        except (webbrowser.Error, OSError):
            pass  # the address is on the terminal
        yield

"""The commands of `checker step`: each is a line of text.

Every answer is text: the terminal, a pipe and a test get the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from attrs import frozen

from checker.analysis.step import Session
from checker.catalogue import find
from checker.cli.arguments import constants_of_options
from checker.cli.output import Output
from checker.engines.interpreted import interpreter_of
from checker.language.define import define
from checker.language.errors import UsageError
from checker.report.directory import stored
from checker.report.explained import NO_INSTANCE, idle_text, refusal_texts
from checker.report.suite import step_texts
from checker.results.exit_codes import INTERRUPTED
from checker.trace.difference import difference
from checker.trace.itf import write_trace
from checker.wording import counted

Line = tuple[str, str]  # text, style
MOST_STARTS = 20
HELP = """  N              take the action with this number; its name as shown does too, and `take` before either
  undo [N]       go back one step, or N; redo goes forward again
  jump N         go to step N of the run (0: the start)
  start N        begin again in another initial state
  state          the whole state
  run            the steps taken so far
  why [ACTION] [VALUES]   what is not enabled, and which part of its guard blocks it
  ? PREDICATE    whether something holds here and why: ? len(delivered[p1]) == 2
  save FILE      write the run up to here as a trace, for show, replay and explain
  list           the enabled actions again
  quit"""
SHORT = {"u": "undo", "r": "redo", "j": "jump", "s": "state", "w": "why", "t": "take", "l": "list", "h": "help"}


def step(name: str | None, constants: tuple[tuple[str, Any], ...], trace: str | None) -> int:
    if (name is None) == (trace is None) or (trace and constants):
        raise UsageError(
            "step takes a model (with -D) or --trace",
            remedy="checker step MODEL, or checker step --trace trace.itf.json",
        )
    if trace:
        session = Session.of_trace(stored(trace))
    else:
        entry = find(str(name))
        session = Session(interpreter_of(define(entry.cls, constants_of_options(constants))), entry.reference)
    try:
        converse(session, Output().line)
    except KeyboardInterrupt:  # how a person may end it: no result is missing
        return INTERRUPTED
    return 0


@frozen
class Conversation:
    """A session, and the commands for it."""

    session: Session

    def greet(self) -> Iterator[Line]:
        """The first lines."""
        session = self.session
        yield session.reference, "bold"
        if len(session.starts) > 1:
            yield f"{len(session.starts)} initial states; `start N` chooses", ""
            first = session.plain(session.starts[0])
            for number, state in enumerate(session.starts[:MOST_STARTS], 1):
                changes = difference(first, session.plain(state))
                yield f"  start {number}: {'; '.join(c.text() for c in changes) or 'as below'}", "dim"
        if session.steps:
            yield f"a run of {counted(len(session.steps), 'step')} is loaded; `redo` and `jump N` walk through it", ""
        yield from self._here()

    def obey(self, command: str) -> Iterator[Line]:
        """Execute one command.  Raises UsageError for a wrong command, which leaves the session unchanged."""
        word, _, rest = command.strip().partition(" ")
        place = self.session.position
        match SHORT.get(word, word):
            case "undo":
                yield from self._go(place - _number(rest.strip() or "1"))
            case "redo":
                yield from self._go(place + _number(rest.strip() or "1"))
            case "jump":
                yield from self._go(_number(rest.strip()))
            case "start":
                self.session.start(_number(rest.strip()))
                yield from self._here()
            case "state":
                for change in difference({}, self.session.plain(self.session.state), self.session.trace().lanes):
                    yield f"  {change.text()}", ""
            case "run":
                yield from self._run()
            case "why":
                yield from self._why(rest.strip())
            case "save":
                yield from self._save(rest.strip())
            case "take":
                yield from self._take(rest.strip())
            case "list":
                yield from self._here()
            case "help":
                yield HELP, ""
            case _ if word.startswith("?"):
                yield f"  {self.session.condition(command.strip()[1:].strip())}", ""
            case _ if word:
                yield from self._take(command.strip())

    def _take(self, wanted: str) -> Iterator[Line]:
        failure = self.session.take(wanted)
        if failure is not None:
            yield f"the action fails: {failure.message} ({failure.place}); it was not taken", "bold red"
            return
        yield self._told(), "bold"
        yield from self._here()

    def _go(self, place: int) -> Iterator[Line]:
        changes = self.session.go(place)
        yield self._told() if place else "the start", "bold"
        for change in changes:
            yield f"    against where you were: {change.text()}", "dim"
        yield from self._here()

    def _run(self) -> Iterator[Line]:
        for number, text in enumerate(step_texts(self.session.trace()), 1):
            yield f"{number:>3}  {text}", ""
        if ahead := len(self.session.steps) - self.session.position:
            yield f"     and {ahead} more ahead", "dim"

    def _why(self, rest: str) -> Iterator[Line]:
        action, given = re.split(r"(?!\w)\s*", rest, maxsplit=1) if rest else ("", "")
        words = _values(given) if "," in given else given.strip("()").split()
        found = self.session.why_not(action, words)
        for name in found.enabled if action else ():
            yield f"  {name} is enabled", "green"
        yield from ((f"  {text}", "") for text in refusal_texts(found.refused, everything=bool(action)))
        yield from ((f"  {text}", "dim") for text in idle_text(found.idle))
        if action and not (found.enabled or found.refused or found.idle):
            yield f"  {NO_INSTANCE}", "dim"

    def _save(self, rest: str) -> Iterator[Line]:
        if not rest:
            raise UsageError("save needs the name of a file")
        try:
            yield f"  wrote {write_trace(self.session.trace(), rest)}", ""
        except OSError as error:
            raise UsageError(f"{rest} cannot be written: {error.strerror}") from None

    def _here(self) -> Iterator[Line]:
        yield from ((f"     {text}", "bold red") for text in self.session.findings())
        choices = self.session.enabled
        if not choices:
            yield "nothing is enabled; `why` tells what blocks, `undo` goes back", "yellow"
        else:
            yield "enabled", "green"
        width = len(str(len(choices)))
        for number, (name, step) in enumerate(choices, 1):
            mark = "  fails" if step.after is None else "  (fault)" if step.action.fault else ""
            yield f"  {number:>{width}}  {name}{mark}", ""

    def _told(self) -> str:
        return f"{self.session.position:>3}  {step_texts(self.session.trace())[-1]}"


def _number(text: str) -> int:
    if not text.isdigit():
        raise UsageError(f"{text or 'nothing'} is not a number of a step")
    return int(text)


def converse(session: Session, say: Callable[[str, str], None], source: TextIO | None = None) -> None:
    """Obey commands from a terminal or a pipe until `quit` or the end; commands from a pipe are shown."""
    source, conversation = source or sys.stdin, Conversation(session)
    for text, style in conversation.greet():
        say(text, style)
    while True:
        command = _ask(source)
        if command is None or command in ("quit", "q", "exit"):
            return
        if not source.isatty():
            say(f"> {command}", "dim")
        try:
            for text, style in conversation.obey(command):
                say(text, style)
        except UsageError as error:
            say(f"  {error}", "red")


def _ask(source: TextIO) -> str | None:
    if source.isatty():
        try:
            return input("> ").strip()
        except EOFError:
            return None
    line = source.readline()
    return line.strip() if line else None


def _values(given: str) -> list[str]:
    """The values that are typed in the notation of reports: "(p1, Stamp(1, p3))" has two."""
    found, depth = [""], 0
    for letter in given[1:].removesuffix(")") if given.startswith("(") else given:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [value.strip() for value in found if value.strip()]

"""A model executed by hand, step by step: what is enabled, what a step changes, why something is not enabled.

A session is a run and a place in it.  Taking a step at an earlier place cuts off what followed, unless it is the step
that followed anyway; so a stored trace is a run to walk through, and to leave at any point.  The interpreter takes
every step, and every answer is text: the terminal, a pipe and a test see the same.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from attrs import define, field

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.commands.explain import explain, instance_text
from checker.commands.explain_report import NO_INSTANCE, condition_text, refusal_texts
from checker.commands.stored_trace import execute
from checker.engines.plain import plain_raw
from checker.engines.replay import Replay, Shown
from checker.language.errors import UsageError
from checker.report.suite import told_steps
from checker.trace.difference import difference
from checker.trace.itf import write_trace
from checker.trace.trace import Trace
from checker.wording import counted

Line = tuple[str, str]  # text, style
MOST_STARTS, MOST_LISTED = 20, 1000
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


@define
class Session:
    """A run of a model, made by hand."""

    interpreter: Interpreter
    reference: str
    states: list[Raw] = field(factory=list)
    steps: list[Step] = field(factory=list)
    position: int = 0
    _starts: list[Raw] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self._starts = self.interpreter.initial()
        if not self._starts:
            raise UsageError(f"{self.reference} has no initial state")
        if not self.states:
            self.states = self._starts[:1]

    @classmethod
    def of_trace(cls, trace: Trace) -> Session:
        """A session that stands at the start of a stored trace.  UsageError if it is no longer a behaviour of its
        model."""
        run = execute(trace)
        if run.differs is not None:
            raise UsageError(
                f"the trace is no longer a behaviour of {trace.reference}: step {run.differs.step}: "
                f"{run.differs.reason}"
            )
        return cls(run.interpreter, trace.reference or trace.model, list(run.states), list(run.steps))

    @property
    def state(self) -> Raw:
        """The state the session stands in."""
        return self.states[self.position]

    @property
    def enabled(self) -> list[tuple[str, Step]]:
        """Each enabled instance with its name, at most MOST_LISTED; those that differ only by choices bear what they
        change."""
        steps = islice(self.interpreter.steps(self.state), MOST_LISTED)
        found = [(instance_text(s.action.name, [v for _, v in s.arguments]), s) for s in steps]
        names = Counter(name for name, _ in found)
        return [(name if names[name] == 1 else f"{name}  [{self._effect(step)}]", step) for name, step in found]

    # Commands

    def greet(self) -> Iterator[Line]:
        """The first lines."""
        yield self.reference, "bold"
        if len(self._starts) > 1:
            yield f"{len(self._starts)} initial states; `start N` chooses", ""
            for number, state in enumerate(self._starts[:MOST_STARTS], 1):
                changes = difference(self._plain(self._starts[0]), self._plain(state))
                yield f"  start {number}: {'; '.join(c.text() for c in changes) or 'as below'}", "dim"
        if len(self.steps):
            yield f"a run of {counted(len(self.steps), 'step')} is loaded; `redo` and `jump N` walk through it", ""
        yield from self._here()

    def obey(self, command: str) -> Iterator[Line]:
        """Carry out one command.  UsageError says what is wrong with it; the session then stands where it stood."""
        word, _, rest = command.strip().partition(" ")
        known: dict[str, Callable[[str], Iterable[Line]]] = {
            "undo": self._undo,
            "u": self._undo,
            "redo": self._redo,
            "r": self._redo,
            "jump": self._jump,
            "j": self._jump,
            "start": self._start,
            "state": self._state,
            "s": self._state,
            "run": self._run,
            "why": self._why,
            "w": self._why,
            "?": self._condition,
            "save": self._save,
            "take": self._take,
            "t": self._take,
            "list": lambda _: self._here(),
            "l": lambda _: self._here(),
            "help": lambda _: [(HELP, "")],
            "h": lambda _: [(HELP, "")],
        }
        if word.startswith("?"):
            yield from self._condition(command.strip()[1:].strip())
        elif word in known:
            yield from known[word](rest.strip())
        elif word:
            yield from self._take(command.strip())

    def _take(self, wanted: str) -> Iterator[Line]:
        choices = self.enabled
        if wanted.isdigit() and 1 <= int(wanted) <= len(choices):
            step = choices[int(wanted) - 1][1]
        else:
            same = [
                s
                for name, s in choices
                if wanted.replace(" ", "") in (name.replace(" ", ""), name.partition("  [")[0].replace(" ", ""))
            ]
            if len(same) != 1:
                many = (
                    "has several choices: take it by its number"
                    if same
                    else ("is neither enabled nor a command; `help` lists those, `why` tells what blocks")
                )
                raise UsageError(f"{wanted} {many}")
            step = same[0]
        if step.after is None:
            assert step.failure is not None
            yield (
                (
                    f"the action fails: {step.failure.message} ({Path(step.failure.file).name}:{step.failure.line}); "
                    f"it was not taken"
                ),
                "bold red",
            )
            return
        if not (self.position < len(self.steps) and self.steps[self.position] == step):
            self.states[self.position + 1 :], self.steps[self.position :] = [step.after], [step]
        self.position += 1
        yield self._told(), "bold"
        yield from self._here()

    def _undo(self, rest: str) -> Iterator[Line]:
        return self._go(self.position - _number(rest or "1"))

    def _redo(self, rest: str) -> Iterator[Line]:
        return self._go(self.position + _number(rest or "1"))

    def _jump(self, rest: str) -> Iterator[Line]:
        return self._go(_number(rest))

    def _go(self, place: int) -> Iterator[Line]:
        if place < 0:
            raise UsageError(
                f"only {counted(self.position, 'step')} can be undone"
                if self.position
                else ("this is the start: there is nothing to undo")
            )
        if place >= len(self.states):
            raise UsageError(f"there is no step {place}: the run has {len(self.steps)}")
        before, far, self.position = self.state, abs(place - self.position) > 1, place
        if place:
            yield self._told(), "bold"
        else:
            yield "the start", "bold"
        for change in difference(self._plain(before), self._plain(self.state)) if far else ():
            yield f"    against where you were: {change.text()}", "dim"
        yield from self._here()

    def _start(self, rest: str) -> Iterator[Line]:
        number = _number(rest)
        if not 1 <= number <= len(self._starts):
            raise UsageError(f"there is no start {number}: the model has {counted(len(self._starts), 'initial state')}")
        self.states, self.steps, self.position = [self._starts[number - 1]], [], 0
        yield from self._here()

    def _state(self, _rest: str) -> Iterator[Line]:
        for change in difference({}, self._plain(self.state), self._trace().lanes):
            yield f"  {change.text()}", ""

    def _run(self, _rest: str) -> Iterator[Line]:
        for number, text in enumerate(told_steps(self._trace()), 1):
            yield f"{number:>3}  {text}", ""
        if self.position < len(self.steps):
            yield f"     and {len(self.steps) - self.position} more ahead", "dim"

    def _why(self, rest: str) -> Iterator[Line]:
        action, _, arguments = rest.replace("(", " ").replace(")", " ").replace(", ", " ").partition(" ")
        if action and action not in {a.name for a in self.interpreter.definition.actions}:
            raise UsageError(f"there is no action {action}")
        found = explain(self.interpreter, self.state, action or None).about(arguments.split())
        kept = [r for r in found.refused if action or not r.fault]
        for name in found.enabled if action else ():
            yield f"  {name} is enabled", "green"
        yield from ((f"  {text}", "") for text in refusal_texts(kept, everything=bool(action)))
        if found.idle:
            yield f"  nothing in flight for: {', '.join(found.idle)}", "dim"
        elif action and not found.enabled and not kept:
            yield f"  {NO_INSTANCE}", "dim"

    def _condition(self, rest: str) -> Iterator[Line]:
        yield f"  {condition_text(rest, self.interpreter, self.state)}", ""

    def _save(self, rest: str) -> Iterator[Line]:
        if not rest:
            raise UsageError("save needs the name of a file")
        try:
            yield f"  wrote {write_trace(self._trace(), rest)}", ""
        except OSError as error:
            raise UsageError(f"{rest} cannot be written: {error.strerror}") from None

    # What is told

    def _here(self) -> Iterator[Line]:
        yield from ((f"     {text}", "bold red") for text in self._findings())
        choices = self.enabled
        if not choices:
            yield "nothing is enabled; `why` tells what blocks, `undo` goes back", "yellow"
        else:
            yield "enabled", "green"
        width = len(str(len(choices)))
        for number, (name, step) in enumerate(choices, 1):
            yield (
                f"  {number:>{width}}  {name}"
                + ("  fails" if step.after is None else "  (fault)" if step.action.fault else ""),
                "",
            )

    def _findings(self) -> Iterator[str]:
        """What is broken here, and whether the search would go on from here."""
        before = self.states[self.position - 1] if self.position else None
        still = self.interpreter.quiescent(self.state)
        for property in self.interpreter.definition.properties:
            if (
                property.kind in ("reachable", "leads-to")
                or (property.kind == "quiescence" and not still)
                or (property.kind == "step" and before is None)
            ):
                continue
            found = self.interpreter.violated(property, self.state, before if property.kind == "step" else None)
            if found is not False:
                yield (
                    f"{property.name} cannot be evaluated: {found.message}"
                    if isinstance(found, Failure)
                    else f"{property.name} is violated"
                )
        if not self.interpreter.kept(self.state):
            yield "a constraint cuts this state: the search would not go on from here"

    def _shown(self) -> Shown:
        """The first property that the run up to here breaks; else only the run itself."""
        broken = [text.removesuffix(" is violated") for text in self._findings() if text.endswith(" is violated")]
        for property in self.interpreter.definition.properties:
            if property.name in broken[:1]:
                return Shown(property.kind, property.name)
        return Shown("reachable", "run by hand")

    def _trace(self) -> Trace:
        replay = Replay(self.interpreter, self.reference, "interpreter")
        return replay.told(self.states[: self.position + 1], self.steps[: self.position], self._shown())

    def _told(self) -> str:
        return f"{self.position:>3}  {told_steps(self._trace())[-1]}"

    def _effect(self, step: Step) -> str:
        if step.after is None:
            return "fails"
        return (
            "; ".join(c.text() for c in difference(self._plain(self.state), self._plain(step.after)))
            or "changes nothing"
        )

    def _plain(self, state: Raw) -> dict[str, Any]:
        return {v.name: plain_raw(v.domain, r) for v, r in zip(self.interpreter.definition.variables, state)}


def _number(text: str) -> int:
    if not text.isdigit():
        raise UsageError(f"{text or 'nothing'} is not a number of a step")
    return int(text)


def converse(session: Session, say: Callable[[str, str], None], source: TextIO | None = None) -> None:
    """Obey commands from a terminal or a pipe until `quit` or the end; commands from a pipe are shown."""
    source = source or sys.stdin
    for text, style in session.greet():
        say(text, style)
    while True:
        command = _ask(source)
        if command is None or command in ("quit", "q", "exit"):
            return
        if not source.isatty():
            say(f"> {command}", "dim")
        try:
            for text, style in session.obey(command):
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

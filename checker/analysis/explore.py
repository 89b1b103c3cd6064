"""A model explored by hand: a path names a run; the functions here give the run and the steps enabled at its end.

A path is the number of an initial state and, for each step, its number among the enabled steps, in the order of the
interpreter, which is part of the meaning of a model: `1.3.2` is the third step and then the second.  A path can
therefore be a link. After an edit of the model a path may name another run; the seal, a hash of the states, detects
this.

Every question names its path.  Between questions only values are kept that could be computed again.

A predicate may come from a link, and Python evaluates it.  A predicate is therefore accepted only if each of its parts
is harmless (checker.analysis.harmless) and the front end accepts it as an expression of the modelling language: it can
compute a value, and has no other effect.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import islice

from attrs import define, field, frozen

from checker.analysis.explain import condition_here, condition_of, truths, with_every_property
from checker.analysis.harmless import require_harmless
from checker.analysis.predicate import LOOKED_FOR, in_the_words_of, resolved, with_predicate
from checker.analysis.step import MOST_LISTED, Session
from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.engines.onward import onward
from checker.engines.request import Request
from checker.frontend.lower import lower
from checker.language.define import define as define_model
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import invariant, quiescent
from checker.replay.disagreement import Disagreement
from checker.replay.replay import Replay
from checker.replay.traced import Shown
from checker.results.explained import Answer
from checker.results.verdict import LookedFor
from checker.results.walked import Choice, Here, Onwards, Pin, Walked
from checker.search.limits import Limits
from checker.trace.difference import difference
from checker.trace.trace import Trace
from checker.trace.values import show

MOST_STEPS = 1000
MOST_PREVIEWED = 100
MOST_STARTS = 100
MOST_PINS = 20
REMEMBERED = 500


@frozen
class Path:
    """The number of an initial state, and of each step among those enabled; all counted from 1."""

    start: int = 1
    steps: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Path:
        """A path from its text.  Raises UsageError if the text is no path, or too long."""
        if not re.fullmatch(r"[1-9]\d{0,8}(\.[1-9]\d{0,8})*", text, re.ASCII):
            raise UsageError(f"{text[:40]!r} is no path", remedy="A path is numbers with dots between, as in 1.3.2.")
        start, *steps = map(int, text.split("."))
        if len(steps) > MOST_STEPS:
            raise UsageError(f"the path has {len(steps)} steps; at most {MOST_STEPS} can be walked")
        return cls(start, tuple(steps))

    def __str__(self) -> str:
        return ".".join(map(str, (self.start, *self.steps)))

    def then(self, *steps: int) -> Path:
        """The path with more steps."""
        return Path(self.start, (*self.steps, *steps))


@frozen
class Walk:
    """The states of a run, and its steps."""

    states: tuple[Raw, ...]
    steps: tuple[Step, ...] = ()


@define
class Explorer:
    """The runs of one model.  begin: the path to show first."""

    interpreter: Interpreter
    reference: str
    begin: Path = Path()
    session: Session = field(init=False)
    _walks: OrderedDict[Path, Walk] = field(init=False, factory=OrderedDict)
    _predicates: dict[str, ast.expr] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self.session = Session(self.interpreter, self.reference)

    @classmethod
    def of_trace(cls, trace: Trace) -> Explorer:
        """An explorer that begins with a stored trace.  Raises UsageError if the trace is no longer a behaviour of its
        model.
        """
        session = Session.of_trace(trace)
        if len(session.steps) > MOST_STEPS:
            raise UsageError(f"the trace has {len(session.steps)} steps; at most {MOST_STEPS} can be walked")
        found = cls(with_every_property(session.interpreter), session.reference)
        path = Path(session.starts.index(session.states[0]) + 1)
        for before, step in zip(session.states, session.steps):
            path = path.then(next(n for n, s in enumerate(session.interpreter.steps(before), 1) if s == step))
        found.begin = path
        return found

    @property
    def definition(self) -> Definition:
        """The model in hand."""
        return self.interpreter.definition

    # Runs

    def at(self, path: Path) -> Session:
        """The session at the end of a run.  Raises UsageError if there is no such run."""
        walk = self._walk(path)
        session = self.session
        session.states, session.steps, session.position = list(walk.states), list(walk.steps), len(walk.steps)
        return session

    def _walk(self, path: Path) -> Walk:
        known = len(path.steps)
        while known and Path(path.start, path.steps[:known]) not in self._walks:
            known -= 1
        walk = self._walks.get(Path(path.start, path.steps[:known])) or self._start(path.start)
        for place, number in enumerate(path.steps[known:], known + 1):
            step = next(islice(self.interpreter.steps(walk.states[-1]), number - 1, None), None)
            if step is None:
                raise UsageError(f"step {place} of the path is number {number}, and fewer steps are enabled there")
            if step.after is None:
                failure = "" if step.failure is None else f": {step.failure.message} ({step.failure.place})"
                raise UsageError(f"step {place} of the path fails{failure}")
            walk = Walk((*walk.states, step.after), (*walk.steps, step))
        self._walks[path] = walk
        self._walks.move_to_end(path)
        while len(self._walks) > REMEMBERED:
            self._walks.popitem(last=False)
        return walk

    def _start(self, number: int) -> Walk:
        starts = self.session.starts
        if number > len(starts):
            raise UsageError(f"the path begins in initial state {number}, and the model has {len(starts)}")
        return Walk((starts[number - 1],))

    # Questions

    def run(self, path: Path, predicates: Sequence[str] = ()) -> Walked:
        """A run, and the truth of every property and predicate in each of its states.  Raises UsageError if there is no
        such run.
        """
        session = self.at(path)
        trace, states = session.trace(), tuple(session.states)
        told = {name: words for name, words in truths(self.interpreter, states) if name not in trace.verdicts}
        pins = tuple(self._pin(text, states) for text in predicates[:MOST_PINS])
        return Walked(str(path), trace, told, pins, self._seal(trace))

    def here(self, path: Path) -> Here:
        """The enabled steps at the end of a run, and the disabled ones with the reasons.  Raises UsageError if there is
        no such run.
        """
        session = self.at(path)
        listed = session.enabled
        broken = tuple(self._broken(session.state, session.states[-2] if session.steps else None))
        choices = tuple(self._choices(session, listed, broken))
        answer = Answer(session.trace(), len(path.steps), session.why_not("", []), False)
        more = len(listed) == MOST_LISTED
        cut = not self.interpreter.kept(session.state)
        return Here(str(path), choices, more, answer, broken, cut, () if path.steps else tuple(self._starts()))

    def _choices(self, session: Session, listed: Sequence[tuple[str, Step]], broken: Sequence[str]) -> Iterator[Choice]:
        replay = Replay(self.interpreter, self.reference, "interpreter")
        for number, (name, step) in enumerate(listed, 1):
            if step.after is None:
                failure = "" if step.failure is None else f"{step.failure.message} ({step.failure.place})"
                yield Choice(number, name, failure=failure or "it fails")
            elif number > MOST_PREVIEWED:
                yield Choice(number, name)
            else:
                states, steps = [*session.states, step.after], [*session.steps, step]
                breaks = tuple(p for p in self._broken(step.after, session.state) if p not in broken)
                trace = replay.build(states, steps, Shown("reachable", "run by hand"))
                yield Choice(number, name, trace, breaks, cut=not self.interpreter.kept(step.after))

    def _broken(self, state: Raw, before: Raw | None) -> Iterator[str]:
        found = ((p.name, self.interpreter.broken(p, state, before)) for p in self.definition.properties)
        yield from (name for name, broken in found if broken is not False)

    def _starts(self) -> Iterator[str]:
        session = self.session
        if len(session.starts) > 1:
            first = session.plain(session.starts[0])
            for state in session.starts[:MOST_STARTS]:
                changes = difference(first, session.plain(state))
                yield "; ".join(c.text() for c in changes) or "the first"

    def _seal(self, trace: Trace) -> str:
        """A hash of the whole run: model, constants, steps with their arguments, states."""
        steps = ((s.action, show(s.args)) for s in trace.steps)
        whole = (trace.reference, show(trace.constants), *steps, *map(show, trace.states))
        return hashlib.sha256(repr(whole).encode("utf-8")).hexdigest()[:10]

    # Predicates

    def _pin(self, text: str, states: Sequence[Raw]) -> Pin:
        try:
            expression = self.predicate(text)
        except UsageError as error:
            return Pin(text, wrong=str(error))
        found = [self._held(text, expression, state) for state in states]
        return Pin(text, tuple(truth for truth, _ in found), tuple(because for _, because in found))

    def _held(self, text: str, expression: ast.expr, state: Raw) -> tuple[str, str]:
        try:
            truth, because = condition_here(text, expression, self.interpreter, state)
        except UsageError as error:
            return "cannot be evaluated", error.message
        return "true" if truth else "false", because

    def predicate(self, text: str) -> ast.expr:
        """A predicate that may be evaluated: an expression of the modelling language.  Raises UsageError for any other
        text.
        """
        if text not in self._predicates:
            if len(self._predicates) >= REMEMBERED:
                self._predicates.clear()
            expression = condition_of(text, self.definition)
            require_harmless(text, expression, self.definition)
            with in_the_words_of(self.definition.model, text, self._constants):
                lower(self._watching(text, at_end=False))
            self._predicates[text] = expression
        return self._predicates[text]

    @property
    def _constants(self) -> dict[str, object]:
        return dict(self.definition.constants)

    def _watching(self, text: str, at_end: bool) -> Definition:
        """The model with one property: the predicate is never true."""
        own = self.definition
        constants = self._constants | ({"symmetry": False} if own.merges else {})
        never = f"not ({resolved(own.model, text, self._constants)})"
        watched = with_predicate(own.model, LOOKED_FOR, never, quiescent if at_end else invariant)
        return define_model(watched, constants, [LOOKED_FOR])

    def find(self, path: Path, predicate: str, seconds: float, at_end: bool = False) -> Onwards:
        """The nearest state from the end of a run in which a predicate is true; at_end: the nearest quiescent one.
        Raises UsageError if there is no such run, or the predicate is none.
        """
        limits = Limits(max_seconds=seconds).begun()
        self.predicate(predicate)
        session = self.at(path)
        own, watched = self.definition, self._watching(predicate, at_end)
        places = [[v.name for v in own.variables].index(v.name) for v in watched.variables]
        found = onward(Request(watched, self.reference, limits=limits), tuple(session.state[i] for i in places))
        if found.failed is not None:
            remedy = "The predicate may fail itself; else `checker check` shows the run that ends so."
            raise UsageError(f"the search ended at a model error: {found.failed}", remedy=remedy)
        if found.path is None:
            verdict = LookedFor.NONE if found.bound is None else LookedFor.UNKNOWN
            return Onwards(predicate, verdict, found.distinct, bound=found.bound)
        there = self._follow(path, session.state, [tuple(state) for state in found.path[1:]], places)
        if found.beyond:
            there = self._beyond(there, predicate)
        steps = len(there.steps) - len(path.steps)
        if len(there.steps) > MOST_STEPS:
            raise UsageError(f"the state is {steps} steps away; a run of at most {MOST_STEPS} can be walked")
        return Onwards(predicate, LookedFor.FOUND, found.distinct, str(there), steps)

    def _follow(self, path: Path, state: Raw, wanted: Sequence[Raw], places: Sequence[int]) -> Path:
        """The path with the steps through these states, of which only the variables at these places are given. Raises
        Disagreement if the interpreter does not reach them.
        """
        for target in wanted:
            enabled = enumerate(self.interpreter.steps(state), 1)
            same = ((n, s.after) for n, s in enabled if s.after and tuple(s.after[i] for i in places) == target)
            number, after = next(same, (0, None))
            if after is None:
                raise Disagreement(f"the interpreter has no step from {state} to {target}")
            path, state = path.then(number), after
        return path

    def _beyond(self, path: Path, predicate: str) -> Path:
        """The path extended by the first step into a state in which the predicate is true."""
        expression, state = self.predicate(predicate), self._walk(path).states[-1]
        for number, step in enumerate(self.interpreter.steps(state), 1):
            if step.after and self._held(predicate, expression, step.after)[0] == "true":
                return path.then(number)
        raise Disagreement(f"the interpreter has no step from {state} to where {predicate} is true")

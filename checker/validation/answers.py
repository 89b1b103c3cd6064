"""The successors and findings of one state, from the interpreter and from another engine, in one form that can be
compared.

The interpreter defines the right answer.  Compared are successors in order, with multiplicity; counts for each action;
quiescence; successors pruned by constraints; findings in the state, over steps and in pruned successors; errors by kind
and line.  Two differences are allowed, because the language does not determine them: which of two errors in one
statement is named, and, with symmetry reduction, which permutation of a successor is stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from attrs import define, field, fields

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, failure_of
from checker.frozen import frozen
from checker.ir.model import Model as Lowered
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.replay.disagreement import Disagreement, refuse_limit, state_text
from checker.results.checked import FAILURES

Failed = tuple[str, str | int]  # the kind of a finding, and its name; for a failure its line instead of the name
Shown = frozenset[Failed]
COMPILED = "compiled code"
S = TypeVar("S")  # the form in which one side represents a state


@frozen
class Answer:
    """The results of one side for a state.

    after: the stored successors, in order; fired: how many steps each action has, including those that fail or are
    pruned; shown: findings over steps; shown_cut: findings in pruned successors; at_rest: findings of quiescence
    properties; here: findings in any state.
    """

    after: tuple[Raw, ...] = field(metadata={"words": "successors"})
    fired: tuple[tuple[str, int], ...] = field(metadata={"words": "steps of each action"})
    quiescent: bool = field(metadata={"words": "whether the state is quiescent"})
    cut: int = field(metadata={"words": "successors cut by a constraint"})
    shown: Shown = field(metadata={"words": "what the steps show"})
    shown_cut: Shown = field(metadata={"words": "what successors outside a constraint show"})
    at_rest: Shown = field(metadata={"words": "what the quiescent state shows"})
    here: Shown = field(metadata={"words": "what the state shows"})

    @property
    def steps(self) -> int:
        """The number of steps that are compared."""
        return sum(n for _, n in self.fired)

    @property
    def everything(self) -> Shown:
        """All findings."""
        return self.shown | self.shown_cut | self.at_rest | self.here


def named(kind: str, name: str, line: int) -> Failed:
    """The name of a finding for both sides: errors by their line."""
    return kind, line if kind in FAILURES else name


def differ(
    definition: Definition, what: str, expected: Any, found: Any, state: Raw | None = None, side: str = COMPILED
) -> Disagreement:
    """The Disagreement of the interpreter and the other side, with both answers."""
    message = f"the interpreter and {'' if side == COMPILED else 'the '}{side} differ: {what}"
    return Disagreement.of(definition, message, state=state, interpreter=expected, other=found, side=side)


def compare(definition: Definition, state: Raw, meaning: Answer, answer: Answer, side: str = COMPILED) -> None:
    """Raise Disagreement if two answers for a state differ; raises UsageError if the reason is a bound of compiled code
    that Python does not have.
    """
    if meaning != answer:
        expected_here = meaning.everything
        for kind, where in answer.everything - expected_here:
            if kind == "error":
                refuse_limit(definition, int(where))
    for attribute in fields(Answer):
        expected, found = getattr(meaning, attribute.name), getattr(answer, attribute.name)
        if expected != found:
            texts = str(expected), str(found)
            if attribute.name == "after":
                texts = _apart(definition, expected, found)
            elif isinstance(expected, frozenset):
                texts = _listed(expected), _listed(found)
            elif attribute.name == "fired":
                texts = _counted(expected), _counted(found)
            raise differ(definition, attribute.metadata["words"], *texts, state, side)


def compare_starts(definition: Definition, expected: Sequence[Raw], found: Sequence[Raw], side: str = COMPILED) -> None:
    """Raise Disagreement if two lists of initial states differ."""
    for place in range(max(len(expected), len(found))):
        one, two = (
            state_text(definition, some[place]) if place < len(some) else f"only {len(some)} initial states"
            for some in (expected, found)
        )
        if one != two:
            raise differ(definition, f"initial state {place + 1}", one, two, side=side)


def _apart(definition: Definition, expected: tuple[Raw, ...], found: tuple[Raw, ...]) -> tuple[str, str]:
    """The first successors that differ."""
    place = next((i for i, (one, two) in enumerate(zip(expected, found)) if one != two), min(len(expected), len(found)))

    def end(side: tuple[Raw, ...]) -> str:
        if place >= len(side):
            return f"only {len(side)}"
        return f"number {place + 1} of {len(side)} is {state_text(definition, side[place])}"

    return end(expected), end(found)


def _listed(shown: Shown) -> str:
    texts = (f"{kind} in line {where}" if kind in FAILURES else f"{kind} {where}" for kind, where in shown)
    return ", ".join(sorted(texts)) or "nothing"


def _counted(fired: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {n}" for name, n in fired)


class Executing(Generic[S]):
    """A side that executes states one by one; this class alone combines the results for a state."""

    def taken(self, state: S) -> list[tuple[str, S | None, Failed | None, bool]]:
        """Every step: its action, the state after it or the failure, and whether the step is progress."""
        raise NotImplementedError

    def truth(self, function: Any, owner: str | None, state: S, before: S | None) -> bool | Failed:
        """The value of a property or constraint; its failure if it cannot be evaluated."""
        raise NotImplementedError

    def raw(self, state: S) -> Raw:
        """A successor in the form that is compared."""
        raise NotImplementedError

    def found(self, model: Definition | Lowered, state: S) -> Answer:
        """The results of this side in a state of its model."""
        shown, shown_cut, at_rest, here = (set[Failed]() for _ in range(4))
        after, cut, steps = list[Raw](), 0, self.taken(state)

        def note(kinds: tuple[str, ...], state: S, before: S | None, noted: set[Failed]) -> None:
            for p in model.properties:
                if p.kind in kinds:
                    value = self.truth(p.function, getattr(p, "owner", None), state, before)
                    if isinstance(value, tuple) or value is (p.kind == "reachable"):
                        noted.add(value if isinstance(value, tuple) else named(p.kind, p.name, 0))

        for _, following, failed, _ in steps:
            if following is None:
                shown |= {failed} if failed is not None else set()
                continue
            note(("step",), following, state, shown)
            kept = [self.truth(getattr(c, "function", c), None, following, None) for c in model.constraints]
            shown.update(value for value in kept if isinstance(value, tuple))  # a constraint that fails prunes nothing
            if False in kept:
                cut += 1
                note(("invariant", "reachable"), following, None, shown_cut)
            else:
                after.append(self.raw(following))
        quiescent = not any(progress for *_, progress in steps)
        note(("quiescence",) if quiescent else (), state, None, at_rest)
        note(("invariant", "reachable"), state, None, here)
        fired = Counter(action for action, *_ in steps)
        counts = tuple((a.name, fired[a.name]) for a in model.actions)
        return Answer(tuple(after), counts, quiescent, cut, *map(frozenset, (shown, shown_cut, at_rest, here)))


@define
class Meaning(Executing[Raw]):
    """The interpreter's answers.  canonical: the canonical representative of a state, with symmetry reduction."""

    interpreter: Interpreter
    canonical: Callable[[Raw], Raw] | None = None

    def confirmed(self, state: Raw, text: str, side: str = COMPILED) -> Answer:
        """The interpreter's results in a state in which the other side finds `text`.  Raises Disagreement if the
        interpreter cannot execute it.
        """
        definition = self.interpreter.definition
        try:
            return self.found(definition, state)
        except UsageError:
            raise
        except Exception as error:
            what = f"the interpreter cannot execute a state that {'' if side == COMPILED else 'the '}{side} can"
            failure = f"{type(error).__name__}: {error}"
            raise Disagreement.of(definition, what, state=state, interpreter=failure, other=text, side=side) from error

    def taken(self, state: Raw) -> list[tuple[str, Raw | None, Failed | None, bool]]:
        """The steps that the interpreter takes."""
        return [
            (s.action.name, s.after, _failed(s.failure) if s.failure else None, s.progress)
            for s in self.interpreter.steps(state)
        ]

    def truth(self, function: Any, owner: str | None, state: Raw, before: Raw | None) -> bool | Failed:
        """The value of the method."""
        try:
            return self.interpreter.holds(function, state, owner, before)
        except Exception as error:
            return _failed(failure_of(error, self.interpreter.definition))

    def raw(self, state: Raw) -> Raw:
        """The canonical representative."""
        return state if self.canonical is None else self.canonical(state)


def _failed(failure: Failure) -> Failed:
    return named(failure.kind, failure.name, failure.line)

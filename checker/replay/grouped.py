"""A run in another order, in which the steps of each process are adjacent as far as they commute.

Two neighbouring steps of different processes are exchanged if the interpreter takes them the other way round: each
enabled with the same action, arguments and events, and both orders leading to the same state.  Such runs differ only in
the order of independent steps (A. Mazurkiewicz, "Trace Theory", 1987), and have the same length.  A choice is compared
by its effect, not by its number: among other messages in flight the same message has another number.

The last step keeps its place.  The intermediate state of an exchange must satisfy every constraint, and must not
violate the property: the violation occurs at the last step and no earlier.  A CAUSE stays with its step.

The search is greedy, from the front: two stretches of one process are joined if the whole run then has fewer stretches.
Another order may have fewer still.  A run that violates a leads-to property keeps its order, because its claim is about
the whole run: its steps repeat for ever, or nothing follows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Failure, Interpreter, Raw, Step
from checker.frozen import frozen
from checker.trace.events import Duplicated, Lost
from checker.trace.trace import Step as TraceStep
from checker.trace.trace import Trace

REORDERED = "reordered by process: steps that commute changed places"
KEPT = "order as found: "


@frozen
class Order:
    """A run, with the original place of each of its steps."""

    states: tuple[Raw, ...]
    steps: tuple[Step, ...]
    places: tuple[int, ...]


def in_groups(
    trace: Trace,
    interpreter: Interpreter,
    states: Sequence[Raw],
    steps: Sequence[Step],
    build: Callable[[Sequence[Raw], Sequence[Step]], Trace],
    edited: bool,
) -> Trace:
    """The trace of these states and steps with the steps of each process together; its claim states the reordering.
    build: a trace from states and steps, if the model is edited with its CAUSE.
    """
    if trace.kind == "leads-to":
        return with_order(trace, KEPT + "a run that breaks a leads-to is not reordered")

    def same(order: Order) -> bool:
        marked = next((s.number for s in trace.steps if s.cause), None)
        if not edited:
            return marked is None
        found = next((s.number for s in build(order.states, order.steps).steps if s.cause), None)
        return (None if found is None else order.places[found - 1] + 1) == marked

    first = Order(tuple(states), tuple(steps), tuple(range(len(steps))))
    if not same(first):
        return with_order(trace, KEPT + "its CAUSE was marked against a protocol that is not at hand")
    last = _Grouping(interpreter, trace, same).run(first)
    if last == first:
        return with_order(trace, KEPT + "no exchange of neighbours brings steps of a process together")
    return with_order(evolve(build(last.states, last.steps), claim=trace.claim), REORDERED)


def with_order(trace: Trace, text: str) -> Trace:
    """The trace with this sentence about its order in its claim; the sentence occurs only once."""
    parts = [part for part in (trace.claim or "").split("; ") if part and not part.startswith(KEPT)]
    return trace if REORDERED in parts else evolve(trace, claim="; ".join([*parts, text]))


def _process(step: TraceStep) -> str | None:
    """The process that takes a step; None for a step of the network, or of no process."""
    network = step.fault and step.events and all(isinstance(event, Lost | Duplicated) for event in step.events)
    return None if network else step.lane


@define
class _Grouping:
    """Joins the stretches of a run, one pair after the other.  same: whether another order has the same CAUSE."""

    interpreter: Interpreter
    trace: Trace
    same: Callable[[Order], bool]
    _known: dict[tuple[Raw, int, int, Raw], tuple[Raw, Step, Step] | None] = field(factory=dict)

    def run(self, order: Order) -> Order:
        """The order in which no two stretches can be joined any more."""
        while (joined := self._pass(order)) != order:
            order = joined
        return order

    def _pass(self, order: Order) -> Order:
        """Each pair of neighbouring stretches of one process joined if that is possible, the first ones first."""
        number = 0
        while number < len(stretches := list(self._stretches(order))):
            order = self._joined(order, stretches, number)
            number += 1
        return order

    def _joined(self, order: Order, stretches: Sequence[tuple[int, int, str | None]], number: int) -> Order:
        """This stretch joined with the next of its process, if the run then has fewer of them."""
        start, end, lane = stretches[number]
        again = next(((s, e) for s, e, other in stretches[number + 1 :] if other == lane), None)
        if lane is None or again is None:
            return order
        lifted = self._lifted(order, *again, end)
        candidates = (lifted, self._parted(order, (start, end), again))
        fewer = (c for c in candidates if c is not None and self._turns(c) < len(stretches))
        return next(filter(self.same, fewer), order)

    def _stretches(self, order: Order) -> Iterator[tuple[int, int, str | None]]:
        """The longest stretches of steps of one process: their first place, the place after them, the process."""
        lanes, start = [_process(self.trace.steps[place]) for place in order.places], 0
        for end in range(1, len(lanes) + 1):
            if end == len(lanes) or lanes[end] != lanes[start]:
                yield start, end, lanes[start]
                start = end

    def _turns(self, order: Order) -> int:
        return sum(1 for _ in self._stretches(order))

    def _lifted(self, order: Order | None, start: int, end: int, to: int) -> Order | None:
        """The order in which the steps from `start` to before `end` are moved to the earlier place `to`."""
        for offset in range(end - start):
            for place in range(start + offset, to + offset, -1):
                order = None if order is None else self._exchanged(order, place - 1)
        return order

    def _parted(self, order: Order, earlier: tuple[int, int], later: tuple[int, int]) -> Order | None:
        """The order in which two stretches are adjacent: the steps between them are moved before the earlier stretch
        where that is possible, then the later stretch is moved towards the front.
        """
        start, end = earlier
        for place in range(end, later[0]):
            lifted = self._lifted(order, place, place + 1, start)
            if lifted is not None:  # else the step stays behind the earlier stretch
                order, start = lifted, start + 1
        return self._lifted(order, *later, start + end - earlier[0])

    def _exchanged(self, order: Order, place: int) -> Order | None:
        """The steps at a place and after it exchanged; None if they do not commute."""
        one, other = order.places[place : place + 2]
        if place + 2 == len(order.steps) or _process(self.trace.steps[one]) == _process(self.trace.steps[other]):
            return None
        before, _, after = order.states[place : place + 3]
        key = before, one, other, after
        if key not in self._known:
            self._known[key] = self._commuting(before, order.steps[place], order.steps[place + 1], after)
        found = self._known[key]
        if found is None:
            return None
        states = (*order.states[: place + 1], found[0], *order.states[place + 2 :])
        steps = (*order.steps[:place], *found[1:], *order.steps[place + 2 :])
        return Order(states, steps, (*order.places[:place], other, one, *order.places[place + 2 :]))

    def _commuting(self, before: Raw, one: Step, other: Step, after: Raw) -> tuple[Raw, Step, Step] | None:
        """The intermediate state and the two steps, in the other order."""
        for first in self._alike(before, other):
            if first.after is None or not self._silent(before, first.after, after):
                continue
            second = next((s for s in self._alike(first.after, one) if s.after == after), None)
            if second is not None:
                return first.after, first, second
        return None

    def _alike(self, state: Raw, step: Step) -> Iterator[Step]:
        """The steps out of a state with the same description as this one."""
        for found in list(self.interpreter.steps(state, step.action.name)):
            if (found.arguments, found.events, found.crashed) == (step.arguments, step.events, step.crashed):
                yield found

    def _silent(self, before: Raw, state: Raw, after: Raw) -> bool:
        """Whether a run may pass through this state: the constraints hold, and the violation does not occur yet."""
        ask, kind = self.interpreter.violated, self.trace.kind
        if not self.interpreter.kept(state) or self.interpreter.unconstrained(state) is not None:
            return False
        shown = []
        for p in self.interpreter.definition.properties:
            if kind in ("error", "assert") and p.kind not in ("step", "leads-to"):
                shown.append(isinstance(ask(p, state), Failure))
            elif p.name == self.trace.property and p.kind == "step":
                shown += [ask(p, state, before) is not False, ask(p, after, state) is not False]
            elif p.name == self.trace.property:
                silent = p.kind == "quiescence" and not self.interpreter.quiescent(state)
                shown.append(not silent and ask(p, state) is not False)
        return not any(shown)

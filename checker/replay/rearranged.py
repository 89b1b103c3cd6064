"""Which of the steps that the protocol before the edit does not allow matter: with which of them alone the steps of the
run, in some order, still violate the property.

The rest of the run is taken again from the state before the first of these steps.  A step of the chosen ones is taken
as the edited protocol takes it, every other one as the protocol before the edit does, later than in the run if it is
not enabled yet, or not at all.  Up to MORE further steps of the protocol before the edit may be put in, no faults.

* If one of the steps alone is enough, all steps matter that are found to be enough alone with the fewest further steps:
  a step that needs more of them has less part in this run.  Of several of them those are left out without which the run
  itself still comes to the violation: in its order, with this step alone as before the edit.
* Else those matter without which the others are not enough; if there are none, as each can be left out, the first of
  the smallest choices that are enough together.

Where it stops: both protocols need the same variables.  At most MOST_STATES states are looked at for each choice and
each number of further steps, and at most MOST_LOOKED_AT altogether; that a choice is not enough means that no such run
was found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from attrs import define, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.definition import PropertyDefinition
from checker.replay.plain import instance_text

MOST_STATES = 600
MOST_LOOKED_AT = 3000
MOST_CHOSEN = 6
MORE = 3


@define
class Rearranged:
    """The rest of a run.  edited, base: both protocols with the same variables in the same order; start: the state in
    which it begins; instances: those of its steps, in order, as text; property: what it violates; together: whether
    several steps that matter are enough only together."""

    edited: Interpreter
    base: Interpreter
    start: Raw
    steps: Sequence[tuple[str, str]]  # the action, and the instance as text
    property: PropertyDefinition
    together: bool = field(init=False, default=False)
    left: int = field(init=False, factory=lambda: MOST_LOOKED_AT)  # states that may still be looked at

    def mattering(self, refused: Sequence[int]) -> tuple[int, ...] | None:
        """Those of the refused steps that matter, by their places; None if unknown."""
        if not 1 < len(refused) <= MOST_CHOSEN:
            return None
        unknown = set[int]()
        for more in range(MORE + 1):
            alone = {n: self._with_more([n], more) for n in refused if n not in unknown}
            if True in alone.values():
                return self._decisive([n for n in refused if alone.get(n)])
            unknown |= {n for n, enough in alone.items() if enough is None}
        if unknown:
            return None
        left_out = {n: self._violates([m for m in refused if m != n]) for n in refused}
        needed = tuple(n for n in refused if left_out[n] is False)
        self.together = True
        return None if None in left_out.values() else needed or self._fewest(refused)

    def _fewest(self, refused: Sequence[int]) -> tuple[int, ...] | None:
        """The first of the smallest choices of several steps that are enough together; None if unknown."""
        for number in range(2, len(refused)):
            for chosen in combinations(refused, number):
                if (enough := self._violates(chosen)) is not False:
                    return chosen if enough else None
        return None

    def violates_without_edit(self) -> bool:
        """Whether the steps of the run violate the property in some order, if each is taken as before the edit."""
        return self._with_more((), 0) is True

    def _decisive(self, enough: Sequence[int]) -> tuple[int, ...]:
        """Of steps that are enough alone those without which the run itself does not violate the property; all of them
        if it always does."""
        decisive = [n for n in enough if len(enough) > 1 and not self._comes_without(n)]
        return tuple(decisive or enough)

    def _comes_without(self, place: int) -> bool:
        """Whether the steps of the run, in their order, violate the property if one of them is taken as before the
        edit; False too if there are too many states."""
        states = {self.start}
        for number, (action, instance) in enumerate(self.steps):
            interpreter, following = self.base if number == place else self.edited, set[Raw]()
            for state in states:
                for after in _instances(interpreter, state, action, instance):
                    if self._broken(after, state):
                        return True
                    following.add(after)
            states = following
            if len(states) > MOST_STATES:
                return False
        ended = self.property.kind == "quiescence"
        return ended and any(
            self.edited.violated(self.property, s) is True and self.edited.quiescent(s) for s in states
        )

    def _violates(self, chosen: Collection[int]) -> bool | None:
        """Whether the property can be violated with these steps as the edited protocol takes them; None if there are
        too many states."""
        for more in range(MORE + 1):
            found = self._with_more(chosen, more)
            if found is not False:
                return found
        return False

    def _with_more(self, chosen: Collection[int], further: int) -> bool | None:
        """The same with at most so many further steps."""
        edited = {self.steps[n][1] for n in chosen}
        seen = set[tuple[Raw, tuple[int, ...], int]]()
        waiting = [(self.start, tuple(range(len(self.steps))), further)]
        while waiting:
            key = state, rest, more = waiting.pop()
            if key in seen:
                continue
            seen.add(key)
            self.left -= 1
            if len(seen) > MOST_STATES or self.left < 0:
                return None
            if self._ended(state, edited):
                return True
            following = []
            for step, left, fewer in self._following(state, rest, more, edited):
                if step.after is not None and self._broken(step.after, state):
                    return True
                if step.after is not None:
                    following.append((step.after, left, fewer))
            waiting += reversed(following)
        return False

    def _following(
        self, state: Raw, rest: tuple[int, ...], more: int, edited: set[str]
    ) -> Iterator[tuple[Step, tuple[int, ...], int]]:
        """The steps that are left, in the order of the run, then further ones."""
        wanted = {self.steps[n][0] for n in rest}
        further = {a.name for a in self.base.definition.actions if not a.fault} if more > 0 else set()
        enabled = self._enabled(state, wanted | further, edited)
        tried = set[str]()
        for n in rest:
            instance = self.steps[n][1]
            if instance not in tried:
                tried.add(instance)
                for step in enabled.get(instance, ()):
                    yield step, tuple(m for m in rest if m != n), more
        for instance, steps in enabled.items() if more > 0 else ():
            if instance not in tried | edited:
                yield from ((step, rest, more - 1) for step in steps)

    def _enabled(self, state: Raw, actions: Collection[str], edited: Collection[str]) -> Mapping[str, list[Step]]:
        """The enabled instances of actions, with their steps."""
        found: dict[str, list[Step]] = {}
        for interpreter, mine in ((self.edited, True), (self.base, False)):
            for name in (a.name for a in interpreter.definition.actions if a.name in actions):
                for step in list(interpreter.steps(state, name)):
                    text = instance_text(name, [v for _, v in step.arguments])
                    if (text in edited) == mine:
                        found.setdefault(text, []).append(step)
        return found

    def _broken(self, state: Raw, before: Raw) -> bool:
        if self.property.kind == "quiescence":
            return False
        earlier = before if self.property.kind == "step" else None
        return self.edited.violated(self.property, state, earlier) is True

    def _ended(self, state: Raw, edited: Collection[str]) -> bool:
        """Whether a property of quiescence is violated in a state in which nothing more can happen."""
        if self.property.kind != "quiescence" or self.edited.violated(self.property, state) is not True:
            return False
        names = {a.name for a in self.base.definition.actions} | {a.name for a in self.edited.definition.actions}
        return not any(step.progress for steps in self._enabled(state, names, edited).values() for step in steps)


def _instances(interpreter: Interpreter, state: Raw, action: str, instance: str) -> Iterator[Raw]:
    """The states to which an instance of an action leads."""
    for step in list(interpreter.steps(state, action)):
        if step.after is not None and instance_text(action, [v for _, v in step.arguments]) == instance:
            yield step.after

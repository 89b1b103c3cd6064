"""The effect of each part of a guard: how many more steps there would be without this part.

A part of a guard is a conjunct of a `require`, or a condition of the language ("not crashed").  It blocks a step alone
if everything else that the action requires holds.  Without the part exactly these steps become possible.  Each part is
therefore removed from its action in turn, the expanded states are expanded once more, and the additional steps are
those that the part alone blocked.  An additional step that would be an error (it reads a value that does not exist)
counts too: without the part it would be attempted.

Steps are counted like transitions: one for each choice inside the action.  A part under an `if`, in a loop or in a
procedure counts where it is reached.  A part that blocks no step alone is redundant in the explored states, with these
constants: wherever it is false another part is false too, or it is always true.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from checker.analysis.vacuity.antecedents import TRUE
from checker.engines.survey import Survey
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir.model import Action, Model
from checker.ir.visit import rewrite, walk
from checker.results.vacuity import GuardPart, own_words


def guard_parts(survey: Survey) -> list[GuardPart]:
    """The parts of all guards, in the order of the model, counted over the expanded states."""
    model = survey.kernel.model
    written = [(n, action, *part) for n, action in enumerate(model.actions) for part in _requires(action)]
    parts = [(number, action, require) for number, action, require, always in written if always is None]
    counts = iter(_blocked(model, parts, survey))
    blocked = [next(counts) if always is None else 0 if always else None for *_, always in written]
    return [
        GuardPart(action.name, own_words(require.text), require.line, number, always)
        for (_, action, require, always), number in zip(written, blocked)
    ]


def _blocked(model: Model, parts: list[tuple[int, Action, s.Require]], survey: Survey) -> list[int]:
    """How many steps each part alone blocked."""
    if not parts:
        return []
    shortened = (_shortened(_dropped(action, part)) for _, action, part in parts)
    without = tuple(evolve(action, name=f"{action.name} {i}") for i, action in enumerate(shortened))
    taken = survey.steps(evolve(model, actions=without, properties=(), constraints=()))
    return [count - survey.taken[number] for (number, _, _), count in zip(parts, taken)]


def _requires(action: Action) -> Iterator[tuple[s.Require, bool | None]]:
    """The parts of an action's guard, each once although it may occur at several places; with its value if it is the
    same constant at all places.
    """
    places: dict[tuple[int, str], list[s.Require]] = {}
    for node in walk(action.body):
        if isinstance(node, s.Require) and node.text:
            places.setdefault((node.line, node.text), []).append(node)
    for same in places.values():
        values = {bool(r.condition.value) if isinstance(r.condition, e.Const) else None for r in same}
        yield same[0], values.pop() if len(values) == 1 else None


def _dropped(action: Action, part: s.Require) -> Action:
    """The action with this part always true, at all places with the same source line."""

    def met(node: Any) -> Any:
        same = isinstance(node, s.Require) and (node.line, node.text) == (part.line, part.text)
        return evolve(node, condition=TRUE) if same else node

    return evolve(action, body=rewrite(action.body, met))


def _shortened(action: Action) -> Action:
    """The action up to the last statement that can refuse or multiply steps: later statements change no count."""

    def decides(node: Any) -> bool:
        return isinstance(node, s.Choose) or isinstance(node, s.Require) and node.condition != TRUE

    deciding = [i for i, statement in enumerate(action.body) if any(map(decides, walk(statement)))]
    return evolve(action, body=action.body[: deciding[-1] + 1 if deciding else 0])

"""The search with stubborn sets of steps (`check --reduce`): refusals, the search, and its conclusions.

A complete reduced search finds every quiescent state, and each violation and error that is preserved by all other
steps. It does not find shortest runs, so after a violation the ordinary search follows, which shows the same run as
without reduction.  States beyond memory go to disk (`spilling`): the steps taken are a function of the state, so the
order of the search does not matter.  For the same reason a stopped search is resumed from a work directory.

Where it stops: the explored graph must have no cycle, which is known in advance if no run can be infinite, and
otherwise only after the search; leads-to and step properties, witnesses, and questions about all states are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve

from checker.backends.native.context import Unsupported
from checker.backends.native.kernel import NativeKernel, compile_model
from checker.bound import Bound
from checker.contract import States
from checker.engines import native, spilling
from checker.engines.checkpointed import Prepared, in_directory, place_below
from checker.engines.committed import ended
from checker.engines.explored import Explored, unexplored
from checker.engines.growing import with_room
from checker.engines.reduced_report import Reduced
from checker.engines.registry import ENGINES, declared
from checker.engines.registry import explore as search_by_engine
from checker.engines.request import Irreducible, Request
from checker.engines.stored_states import stored_levels
from checker.engines.whole_process import within_process
from checker.frontend.failing import Failing
from checker.frontend.lower import lower
from checker.ir.footprints.crashing import CHOSEN, MAY_CRASH
from checker.ir.footprints.effort import TooMany
from checker.ir.footprints.instances import Instances
from checker.ir.footprints.phases import Phases
from checker.ir.model import Function
from checker.ir.model import Model as Lowered
from checker.ir.stubborn.bounds import without_safe_indexes
from checker.ir.stubborn.chosen_messages import choosing_messages
from checker.ir.stubborn.reduction import Failures, Reduction, reduction_of
from checker.language.constants import BUDGETS
from checker.language.errors import Undecided
from checker.search.checkpoint import Checkpoint
from checker.search.components import strong_components
from checker.search.deadline import OutOfTime, aside
from checker.search.expansions import expansions
from checker.search.memory import available_memory
from checker.search.numbering import numbering
from checker.search.result import SearchResult
from checker.search.workdir import WorkDirectory

MOST_INSTANCES = 512
GRAPH = 4
"""How many times the memory of the states the search for a cycle needs, about."""
WITHOUT = "Leave out --reduce"
ORDINARY = "ordinary"
"""Where the search that shows a violation keeps its levels, in the work directory of the reduced search."""
UNKEPT = {
    "reachable": "whether a state is reachable",
    "step": "what every step does",
    "leads-to": "what every run comes to",
}


def explore(request: Request) -> Explored:
    """Explore a reduced graph; if it has a violation, the ordinary graph.  Raises Irreducible if the request needs
    every state.
    """
    require_reducible(request)
    placement = request.placement
    if placement.workdir is None:
        explored = with_room(partial(_explore, request))
    else:
        explored = in_directory(request, partial(_prepared, request))
    return followed(request, explored)


def followed(request: Request, explored: Explored) -> Explored:
    """The report of a reduced search, or after a violation that of the ordinary search; its levels are kept, too, in a
    directory of its own in the work directory.
    """
    if not any(f.shown.kind != "reachable" for f in explored.found):
        return explored
    placement = request.placement
    placement = placement if placement.workdir is None else place_below(placement, ORDINARY)
    ordinary = search_by_engine(evolve(request, reduce=False, placement=placement))
    return evolve(ordinary, reduced_before=explored.distinct) if ordinary.found else explored


def require_reducible(request: Request) -> None:
    """Raise Irreducible if a reduced graph cannot answer the request."""
    definition = request.definition
    for p in definition.properties:
        if p.kind in UNKEPT:
            remedy = f"{WITHOUT}, or choose others with --property."
            raise Irreducible(
                f"--reduce does not keep {UNKEPT[p.kind]}: {p.name} is a {p.kind} property", remedy=remedy
            )
    reasons = {
        "a constraint cuts off states, so that no state need be at rest": bool(definition.constraints),
        "--max-depth asks for all states that are near": request.limits.max_depth is not None,
        "a search that goes on after a violation needs every state": not request.stop_at_first,
    }
    for reason, given in reasons.items():
        if given:
            raise Irreducible(f"--reduce: {reason}", remedy=f"{WITHOUT}, or that.")
    if declared(request.engine).reduced_by is None:
        able = ", ".join(engine.name for engine in ENGINES.values() if engine.reduced_by is not None)
        what = f"--reduce: the engine {request.engine} explores every state"
        raise Irreducible(what, remedy=f"{WITHOUT}, or choose another engine: {able}.")


def _explore(request: Request, room: Mapping[str, int]) -> Explored:
    try:
        found = reduced(request, room)
    except OutOfTime as late:
        return unexplored(request.definition, late)
    code, spill = found.code, request.placement.spill
    if spill is not None:
        search = spilling.Spilling(spilling.within_memory(request), spill).search
        return search(code, room, found.symmetric, partial(in_memory, found), found.beyond)
    result = native.searched(request, code)
    found.symmetric(result)
    return in_memory(found, result)


def reduced(request: Request, room: Mapping[str, int]) -> Reduced:
    """The reduced search of a request.  Raises OutOfTime, Irreducible."""
    kernel = native.compiled(request, room, quick=True)
    with request.phases("reduce"):
        code = aside(partial(_compiled, *searched_model(request, room, kernel.model), not request.lengths))
    return Reduced(request, kernel, code, chooses(code.model), said(request, code))


def _prepared(request: Request, room: Mapping[str, int]) -> Prepared:
    """The reduced search of a request, to be made or resumed in a work directory.  Raises OutOfTime, Irreducible."""
    found = reduced(request, room)
    return Prepared(found.code, partial(_explore_in, found))


def _explore_in(found: Reduced, work: WorkDirectory) -> Explored:
    """Search in a work directory, or resume the search in it.  Raises TooSmall, Irreducible."""
    request, code, taken_up, bound = found.request, found.code, bool(work.levels), None
    if request.placement.spill is not None:
        return _spilled_in(found, work, spilling.Spilling(spilling.within_memory(request), request.placement.spill))
    if not ended(work):
        result = native.searched(request, code, Checkpoint(work, code.words))
        found.symmetric(result)
        if not taken_up:
            return in_memory(found, result)
        bound = result.bound
    require_no_cycle(found, work, bound)
    return found.stored(work, bound)


def _spilled_in(found: Reduced, work: WorkDirectory, search: spilling.Spilling) -> Explored:
    """The same with states beyond memory on disk.  Raises TooSmall, Irreducible, Undecided."""
    code = found.code

    def stored(work: WorkDirectory, bound: Bound | None) -> Explored:
        memory = within_process(search.request.limits).max_memory
        assert memory is not None
        if _cycle_room(code, work) > memory:
            return found.beyond(spilling.Ended(work, bound, search.disk_of(work), memory))
        require_no_cycle(found, work, bound)
        return found.stored(work, bound)

    return search.search_in(code, work, found.symmetric, partial(in_memory, found), stored, found.beyond)


def _cycle_room(code: NativeKernel, work: WorkDirectory) -> int:
    """Bytes of memory for the search for a cycle among the states of a work directory."""
    return GRAPH * 8 * code.words * sum(level.rows for level in work.levels)


def require_no_cycle(found: Reduced, work: WorkDirectory, bound: Bound | None) -> None:
    """Raise Irreducible if a stored search is complete, and its graph has a cycle; Undecided if the states do not fit
    into memory.
    """
    code = found.code
    assert code.reduction is not None
    if bound is not None or work.levels[-1].rows or code.reduction.finite:
        return
    if _cycle_room(code, work) > available_memory():
        what = "--reduce: whether the reduced graph has a cycle is decided only where all states are in memory"
        raise Undecided(what, remedy="Search on a machine with more memory, or leave out --reduce.")
    with found.request.phases("cycles"):
        require_acyclic(code, *stored_levels(work, code.words))


def in_memory(found: Reduced, result: SearchResult) -> Explored:
    """The report of a search in memory.  Raises Irreducible if its graph has a cycle."""
    code = found.code
    assert code.reduction is not None
    if result.complete and not code.reduction.finite:
        with found.request.phases("cycles"):
            require_acyclic(code, result.states(), result.level_starts())
    return found.in_memory(result)


def searched_model(request: Request, room: Mapping[str, int], model: Lowered) -> tuple[Lowered, Reduction | None]:
    """The model that is searched instead of the lowered one, and its reduction if that was computed: with possible
    crashes or a message that may fail, which are chosen in its initial states.
    """
    if message_chosen_pays(request.definition.constants):
        return with_message_chosen(model, not request.lengths)
    if not chosen_pays(request.definition.constants):
        return model, None
    chosen = lower(request.definition, dict(room), choosing=True)
    return (chosen if request.adapt is None else request.adapt(chosen)), None


def chosen_pays(constants: Mapping[str, Any]) -> bool:
    """Whether choosing who may crash saves states: with other budgets, or queues, nearly all steps depend on each other
    in any case, and each choice has states of its own.
    """
    others = any(constants.get(name, 0) for name in BUDGETS if name != "crashes")
    return bool(constants.get("crashes", 0)) and not others and constants.get("channels") != "fifo"


def message_chosen_pays(constants: Mapping[str, Any]) -> bool:
    """Whether one message may be lost or duplicated, and there is no other fault; queues are excluded for the same
    reason as for crashes.
    """
    failing = [constants.get(name, 0) for name in BUDGETS]
    messages = [constants.get(name, 0) for name in ("losses", "duplicates")]
    return sum(failing) == sum(messages) == 1 and constants.get("channels") != "fifo"


def with_message_chosen(model: Lowered, drop: bool = False) -> tuple[Lowered, Reduction | None]:
    """The model whose initial states choose the kind of message that may fail, and its reduction; the unchanged model
    where that is impossible or saves nothing: where steps are never taken alone, each choice has nearly all states.
    """
    try:
        chosen = choosing_messages(model)
        found = None if chosen is None else reduction(chosen, drop)
    except TooMany:
        return model, None
    if chosen is None or found is None:
        return model, None
    faults = found.tables.faults
    mended = any(not faults >> i & 1 for some in found.mending.values() for i in some)
    return (model, None) if mended else (chosen, found)


def chooses(model: Lowered) -> bool:
    """Whether the initial states choose something that is not part of the model's state."""
    return any(v.name in CHOSEN for v in model.variables)


def _compiled(model: Lowered, found: Reduction | None, drop: bool) -> NativeKernel:
    try:
        return compile_model(model, quick=True, reduction=found or reduction(model, drop))
    except TooMany:
        what = f"--reduce: the model has more than {MOST_INSTANCES} instances of actions and messages, or large ones"
        raise Irreducible(what, remedy=f"{WITHOUT}, or lower the constants.") from None
    except Unsupported as error:
        raise Irreducible(f"--reduce: {error}", remedy=f"{WITHOUT}.") from None


def said(request: Request, kernel: NativeKernel) -> str:
    """The report's text about a reduction."""
    constants = request.definition.constants
    shared = [name for name in BUDGETS if constants.get(name, 0)]
    assert kernel.reduction is not None
    texts = [kept_open(kernel)]
    if any(v.name == MAY_CRASH for v in kernel.model.variables):
        shared.remove("crashes")
        texts.append("who may crash is chosen in the initial states")
    elif chooses(kernel.model):
        shared.clear()
        texts.append("which message may fail is chosen in the initial states")
    irrelevant = kernel.reduction.irrelevant
    if irrelevant.when:
        texts.append("messages whose receipt changes nothing any more are dropped")
    if irrelevant.off:
        texts.append(f"no message whose receipt changes nothing is dropped: {irrelevant.off}")
    if shared:
        texts.append(f"{' and '.join(shared)}: all of a kind share a budget, so little is left out")
    return "; ".join(texts)


def kept_open(kernel: NativeKernel) -> str:
    """Which steps are never taken alone, or only with others, and because of which property, in words."""
    assert kernel.reduction is not None
    model, instances = kernel.model, kernel.reduction.tables.instances
    texts, beside, mending, every = [], [], set[str](), {a.name for a in model.actions if not a.fault}
    for p in model.properties:
        numbers = kernel.reduction.mending.get(p.name, ())
        names = dict.fromkeys(model.actions[instances[i].head.action].name for i in numbers)
        mine = [n for n in names if n in every]
        if mine and p.name in kernel.reduction.beside:
            beside.append(p.name)
        elif mine:
            texts.append(f"{', '.join(mine)} may make {p.name} hold again")
            mending.update(mine)
    if texts:
        everything = "so nothing is left out: choose properties with --property"
        texts.append(everything if mending == every else "so not taken alone")
    if beside:
        texts.append(
            f"a step that may make {' or '.join(beside)} hold again is taken with all that may violate the property"
        )
    return "; ".join(texts) or "no step makes a violated property hold again"


def reduction(model: Lowered, drop: bool = False) -> Reduction:
    """The reduction of a model for its properties.  drop: messages whose receipt changes nothing are removed from the
    state, so that levels of quiescent states are not distances of the model.  Raises TooMany.
    """
    instances = Instances.of(model).by_process()
    if len(instances.found) > MOST_INSTANCES:
        raise TooMany
    return reduction_of(
        model, Phases(instances), Failures(partial(_fails, model), Failing(model.function).statements), drop
    )


def _fails(model: Lowered, function: str) -> bool:
    """Whether judging a property may be an error."""

    def safe(name: str) -> Function:
        return without_safe_indexes(model.function(name))

    return Failing(safe).statements(safe(function).body)


def require_acyclic(kernel: NativeKernel, states: States, starts: Sequence[int]) -> None:
    """Raise Irreducible if the graph of these states has a cycle.  starts: of the levels, and at last their number."""
    if _circular(kernel, states, starts):
        what = "--reduce: the reduced graph has a cycle, on which a step may be put off for ever"
        raise Irreducible(what, remedy=f"{WITHOUT}.")


def _circular(kernel: NativeKernel, states: States, level_starts: Sequence[int]) -> bool:
    """Whether the graph of these states has a cycle.  There is none if every step leads to a later level."""
    states, starts = np.ascontiguousarray(states), np.array(level_starts)
    index = numbering(states)
    edges, back = [], False
    for piece in expansions(kernel, states):
        below = index.numbers(piece.successors)
        above = piece.parents.astype(np.int64)
        levels = [np.searchsorted(starts, numbers, side="right") for numbers in (above, below)]
        back = back or bool((levels[1] <= levels[0]).any())
        edges.append((above, below))
    if not back:
        return False
    sources, targets = map(np.concatenate, zip(*edges))
    itself = bool((sources == targets).any())
    return itself or len(np.unique(strong_components(len(states), sources, targets))) < len(states)

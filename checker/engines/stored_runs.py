"""Leads-to properties of a stored search, whose states are in files of levels: beyond memory, resumed, or on Spark.

A run that breaks `when leads to then` stays among states without `then`.  Of these only the states from which a run can
stay there, or end there, are taken into memory (`checker.search.trimming`): usually few, and none if every run without
`then` leads out.  Their graph is decided as that of a search in memory (`checker.search.liveness`).  A state outside
stands for all others: no run that breaks the property comes there.  Tasks remove the states of a search on Spark
(`checker.search.spark.trimming`).

The run that is reported begins like that of a search in memory and is fair; around its cycle it may take the steps in
another order, because the labels of steps are numbered as they appear in the files.  Where it stops: the states that
are left, with their transitions, must fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

import numpy as np
from attrs import frozen

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import FEW_STATES, NativeKernel
from checker.bound import Bound
from checker.contract import States
from checker.engines.behaviour import Labelled, Labels, labelled_graph, unreadable
from checker.engines.explored import Region
from checker.engines.native import state_of, states_of
from checker.engines.request import Request
from checker.engines.shipped import Awaiting, awaiting
from checker.engines.survey import Survey
from checker.engines.whole_process import GRAPH, beyond_memory, megabytes, within_process
from checker.language.definition import PropertyDefinition
from checker.language.errors import Undecided, UsageError
from checker.search.deadline import OutOfTime
from checker.search.disk import Disk, DiskLimit, temporary_directory
from checker.search.limits import Limits
from checker.search.liveness import Flags, Graph, Indices
from checker.search.memory import available_memory
from checker.search.numbering import numbering
from checker.search.runs import Runs, keys_of
from checker.search.trails import shortest_run
from checker.search.trimming import Judged, Left, Trimmed, Trimming, Unreadable, filter_room
from checker.stored.errors import StoredFileError
from checker.validation.graph import confirmed
from checker.wording import counted

WHOLE_RUNS = "leads-to properties"
COMPARED = 64
"""States in which the interpreter is compared with compiled code."""
FILTER_SHARE = 0.2
"""The largest share of the memory for the filter of the states that were removed."""
_STATE = 32
"""Bytes for a state besides its words, while the graph is made and decided."""

Trim = Callable[[Callable[[], Judged], tuple[int, ...], Limits], AbstractContextManager[Trimmed]]
"""Begins to remove states in other processes: from what makes the knowledge of states there, the sizes of the levels,
and the limits.
"""


def stored_behaviour(
    request: Request, kernel: NativeKernel, survey: Survey, sample: States, disk: Disk | None, trim: Trim | None = None
) -> StoredBehaviour:
    """The explored graph of a complete stored search.  sample: some of its states; disk: where removed states go
    (default: the directory of temporary files); trim: removes them in other processes (default: in this one).
    """
    definition, limits = request.definition, request.limits
    where = "in this process" if trim is None else "by tasks"
    request.placement.say(f"{WHOLE_RUNS}: the levels are expanded once more, {where}")
    try:
        memory = within_process(limits).max_memory
    except UsageError:  # the process has too much memory already
        beyond_memory(WHOLE_RUNS)
    labelled = labelled_graph(definition, kernel.model, quick=survey.distinct <= FEW_STATES)
    return StoredBehaviour(
        labelled,
        survey,
        Disk(temporary_directory()) if disk is None else disk,
        int(0.9 * available_memory()) if memory is None else memory,
        limits,
        partial(states_of, definition, kernel),
        confirmed(definition, labelled.kernel, sample, partial(state_of, definition, kernel)),
        trim,
    )


@frozen(eq=False)
class StoredBehaviour:
    """The explored graph of a complete stored search.  disk: where removed states go; memory: bytes for states and
    graph; states: the raw states of packed ones; confirmed: in how many states the interpreter agreed with compiled
    code; trim: as of `stored_behaviour`.
    """

    labelled: Labelled
    survey: Survey
    disk: Disk
    memory: int
    limits: Limits
    states: Callable[[States], tuple[Raw, ...]]
    confirmed: int
    trim: Trim | None = None

    def region(self, property: PropertyDefinition, n: int) -> Region:
        """The part of the graph that decides a property for the n-th value of its parameters.  Raises Undecided."""
        columns = self.labelled.columns(property, n)
        judged = Awaiting(self.labelled.kernel, *columns)
        try:
            with self._trimming(judged, columns) as trimmed:
                left = trimmed.run(lambda left: self._needed(left) <= self.memory)
                begins = trimmed.begins()
                if begins and self._needed(left) > self.memory:
                    beyond = f"{counted(left.states, 'state')} from which a run may break one"
                    more = counted(left.transitions, "transition")
                    what = f"{WHOLE_RUNS}: the graph of {beyond}, with {more}, needs {megabytes(self._needed(left))}"
                    raise Undecided(what, remedy="Raise --max-memory, or lower the constants.")
                parts = list(trimmed.left()) if begins else []
            words = self.survey.kernel.words
            levels = np.concatenate([np.zeros(0, np.int64), *(np.full(len(states), n) for n, states in parts)])
            states = np.concatenate([np.zeros((0, words), np.uint64), *(states for _, states in parts)])
            order = np.lexsort((keys_of(states), levels))  # no result depends on files or shards
            states = states[order]
            return self._region(states, levels[order], judged.begins(states) if begins else np.zeros(0, np.bool_))
        except Unreadable as error:
            raise unreadable(property, error.message, error.line) from None
        except DiskLimit:
            raise Undecided(f"{WHOLE_RUNS}: removed states need more disk", remedy="Raise --max-disk.") from None
        except OutOfTime:
            raise self._late() from None
        except StoredFileError as error:
            raise UsageError(str(error)) from None

    @contextmanager
    def _trimming(self, judged: Awaiting, columns: tuple[int, int]) -> Iterator[Trimmed]:
        if self.trim is not None:
            with self.trim(partial(awaiting, self.labelled.compiled, *columns), self.survey.sizes, self.limits) as by:
                yield by
            return
        room = filter_room(self.survey.distinct, int(FILTER_SHARE * self.memory))
        removed = Runs(self.disk, self.survey.kernel.words, room, self._within_limits)
        try:
            yield Trimming(self.survey.levels, judged, removed, self._within_limits)
        finally:
            removed.close()

    def _needed(self, left: Left) -> int:
        return (8 * self.survey.kernel.words + _STATE) * left.states + GRAPH * left.transitions

    def _within_limits(self) -> None:
        if self.limits.left() == 0:
            raise self._late()

    def _late(self) -> Undecided:
        return Undecided(f"{WHOLE_RUNS}: deciding them was {Bound.SECONDS.ended}", remedy="Raise the limit.")

    def _region(self, states: States, levels: Indices, when: Flags) -> Region:
        """The region of some states, in the order of their levels; the state after them stands for all others."""
        known, labels, outside = numbering(states), Labels(), len(states)
        ends = np.zeros(outside, np.uint8)
        parts = [(np.zeros(0, np.int64),) * 3]
        for some in self.labelled.kernel.steps(states, ends) if outside else ():
            targets = known.find(some.successors)
            targets[targets < 0] = outside
            parts.append((some.sources, targets, labels.numbers(some.labels)))
        sources, targets, numbers = (np.concatenate(column) for column in zip(*parts))
        fair = self.labelled.kernel.weakly_fair[np.array(labels.instances, np.int64)]
        graph = Graph(outside + 1, sources, targets, numbers, fair, np.append(ends.astype(np.bool_), False))

        def run(numbers: Indices) -> States:
            """To the first of some states of a level."""
            kernel, level = self.survey.kernel, int(levels[numbers[0]])
            return shortest_run(kernel, self.survey.levels.__getitem__, level, states[numbers], self.survey.run)

        def first(starts: Indices) -> int:
            nearest = starts[levels[starts] == levels[starts].min()]
            return int(known.numbers(run(nearest)[-1:])[0]) if len(nearest) > 1 else int(nearest[0])

        def path(number: int) -> tuple[Raw, ...]:
            return self.states(run(np.array([number])))

        def state(number: int) -> Raw:
            return self.states(states[number : number + 1])[0]

        outer = np.append(np.zeros(outside, np.bool_), True)
        return Region(graph, np.append(when, False), outer, first, path, state)

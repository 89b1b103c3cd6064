"""The report of a reduced search in terms of the model: from the states in memory, or from the levels on disk.

Stored states may have choices besides the state of the model (`checker.search.projected`), and messages may be dropped
(`checker.validation.dropped`): counts are of states of the model, and runs contain the dropped receipts.  Validation
compares all successors in a sample of the states, through the ordinary kernel, with the interpreter.

If a run may be infinite, the graph must have no cycle. On disk this is decided by levels alone (`search.rising`).

Where it stops: of a search on disk, the distinct initial and quiescent states with choices are counted in memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from attrs import evolve, field, frozen

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.bound import Bound
from checker.contract import States
from checker.engines import native
from checker.engines.committed import HERE, Elsewhere, explored_from, validated_stored
from checker.engines.explored import Explored, Found
from checker.engines.request import Request
from checker.engines.spilling import Ended
from checker.engines.stored_states import stored_rows
from checker.language.errors import Undecided
from checker.replay.symmetry import require_symmetric_steps
from checker.results.validated import Validation
from checker.search.block_files import Block, read_block
from checker.search.deadline import OutOfTime
from checker.search.out_of_core import FILTER_SHARE
from checker.search.projected import projected
from checker.search.result import SearchResult
from checker.search.rising import rising
from checker.search.workdir import WorkDirectory
from checker.validation.dropped import SAMPLE, Dropping
from checker.validation.sample import evenly


@frozen(eq=False)
class Reduced:
    """A reduced search.  kernel: of the model; code: of the search; chosen: whether its initial states choose something
    that is not part of the model's state; said: the report's text about the reduction.
    """

    request: Request
    kernel: NativeKernel
    code: NativeKernel
    chosen: bool
    said: str
    dropping: Dropping | None = field(init=False)

    @dropping.default
    def _dropping(self) -> Dropping | None:
        assert self.code.reduction is not None
        return Dropping(self.request.definition, self.code) if self.code.reduction.irrelevant.when else None

    def _of_model(self, result: SearchResult) -> SearchResult:
        result = evolve(result, sources=(self.kernel,))
        return projected(result, self.kernel.words) if self.chosen else result

    # -- in memory

    def symmetric(self, result: SearchResult) -> None:
        """Raise UsageError if states that count as one differ."""
        if self.kernel.model.symmetry is not None:
            require_symmetric_steps(self.request.definition, self.kernel, self._of_model(result))

    def in_memory(self, result: SearchResult) -> Explored:
        """The report from states in memory.  Raises Disagreement if the interpreter does not take a step."""
        explored = native.explored(self.request, self._of_model(result))
        if self.dropping is not None:
            explored = self._with_receipts(self.dropping, result, explored)
        return evolve(explored, reduced=self.said)

    def _with_receipts(self, dropping: Dropping, result: SearchResult, explored: Explored) -> Explored:
        """The report with the receipts of dropped messages in each run."""
        with self.request.phases("validate"):
            dropping.confirm(result.states()[evenly(result.distinct, SAMPLE)])

        def path(number: int) -> tuple[Raw, ...]:
            return dropping.run(result.path(number))

        def with_run(found: Found, number: int) -> Found:
            run = path(number)
            return Found(found.shown, found.steps + len(run) - len(result.path(number)), lambda: run)

        indices = (v.index for v in (*result.violations, *result.witnesses))
        runs = explored.outcome_runs
        return evolve(
            explored,
            found=tuple(map(with_run, explored.found, indices)),
            outcome_runs=lambda: [evolve(run, path=partial(path, run.number)) for run in runs()],
        )

    # -- on disk

    def beyond(self, ended: Ended) -> Explored:
        """The report from the levels on disk.  Raises Undecided if the graph may have a cycle, Disagreement if the
        interpreter does not take a step.
        """
        work, bound = ended.work, ended.bound
        assert self.code.reduction is not None
        if bound is None and not work.levels[-1].rows and not self.code.reduction.finite:
            bound = self._acyclic(ended)
        return self.stored(work, bound)

    def stored(self, work: WorkDirectory, bound: Bound | None, elsewhere: Elsewhere = HERE) -> Explored:
        """The report of a search without a cycle, from its levels.  elsewhere: as in `explored_from`.  Raises
        Disagreement if the interpreter does not take a step.
        """

        def validate() -> Validation:
            if self.dropping is not None:
                self.dropping.confirm(stored_rows(work, self.code.words, SAMPLE))
            return validated_stored(self.request.definition, (self.kernel,), work, self.code.words)

        runs = None if self.dropping is None else self.dropping.run
        found = explored_from(self.request, self.code, work, bound, elsewhere, validate=validate, states=runs)
        if self.chosen:
            initial = self._distinct(work, work.levels[0].files if work.levels else ())
            quiescent = self._distinct(work, (block for level in work.levels for block in level.quiescent))
            found = evolve(found, initial=initial, quiescent=quiescent)
        return evolve(found, survey=None, reduced=self.said)

    def _acyclic(self, ended: Ended) -> Bound | None:
        """Nothing if no step leads to an earlier level; "seconds" if the time is over.  Raises Undecided."""
        limits = self.request.limits

        def pause() -> None:
            if limits.left() == 0:
                raise OutOfTime("searching for cycles")

        try:
            with self.request.phases("cycles"):
                if rising(self.code, ended.work, ended.disk, int(FILTER_SHARE * ended.memory), pause):
                    return None
        except OutOfTime:
            return Bound.SECONDS
        what = "--reduce: a step of the reduced graph leads back to an earlier level, or to its own"
        cycle = "whether it closes a cycle is decided only where all states are in memory"
        raise Undecided(f"{what}; {cycle}", remedy="Raise --max-memory, or leave out --reduce.")

    def _distinct(self, work: WorkDirectory, blocks: Iterable[Block]) -> int:
        """The number of distinct states of the model in some files."""
        distinct: States = np.zeros((0, self.kernel.words), np.uint64)
        for block in blocks:
            rows = read_block(work.data, block, self.code.words)[:, : self.kernel.words]
            distinct = np.unique(np.concatenate([distinct, rows]), axis=0)
        return len(distinct)

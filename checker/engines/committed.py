"""The report of a search from its work directory, in the terms of `check`: it does not depend on which process searched
which level.

The header names everything that determines the packed states: the model and its constants, and a hash of the lowered
model with its layout.  A search is therefore never resumed with another model.  Counts are sums over the committed
levels; outcomes come from the stored quiescent states; paths are rebuilt from the levels (`checker.search.trails`).
Leads-to properties are decided from the levels, too (`stored_runs`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict, frozen

from checker.backends.interpreter.interpreter import Raw
from checker.backends.native.kernel import NativeKernel
from checker.bound import Bound
from checker.catalogue import Entry
from checker.contract import States
from checker.engines.explored import Explored, Found, OutcomeRun, shown
from checker.engines.growing import LARGEST_NETWORK
from checker.engines.native import states_of
from checker.engines.request import Request, Sought
from checker.engines.stored_runs import COMPARED, StoredBehaviour, Trim, stored_behaviour
from checker.engines.stored_states import StoredStates, stored_rows
from checker.engines.survey import Ask, Question, Survey, ask_here
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.results.checked import ActionReport
from checker.results.validated import Validation
from checker.search.block_files import Block, read_block
from checker.search.disk import Disk
from checker.search.folder_errors import FullWorkDirectoryError, WorkDirectoryError
from checker.search.folders import Folder
from checker.search.memory import peak_resident
from checker.search.projected import firsts as firsts_of
from checker.search.trails import NotShown, Piece, Run, trails
from checker.search.workdir import WorkDirectory
from checker.stored.errors import StoredFileError
from checker.stored.shape import Reader, WrongShape, array, optional, parts, record, table, text, truth, whole
from checker.trust import find_named
from checker.validation.sample import Reached, evenly
from checker.validation.validation import Validator


@frozen
class StoredPiece:
    """A file of states as a piece that other processes can read."""

    data: Folder
    block: Block
    words: int

    def read(self) -> States:
        """The states, mapped into memory."""
        return read_block(self.data, self.block, self.words)


def header(request: Request, room: Mapping[str, int], kernel: NativeKernel) -> dict[str, Any]:
    """The contents of `search.json` for a search.  room: of the networks that needed more than was guessed."""
    return {
        "model": request.reference,
        "constants": dict(request.definition.constants),
        "properties": None if request.only is None else list(request.only),
        "stop_at_first": request.stop_at_first,
        "networks": dict(room),
        "words": kernel.words,
        "fingerprint": fingerprint(kernel),
        "actions": list(kernel.actions),
        "findings": [_finding(f.kind, f.name, f.line) for f in kernel.findings],
        "reduced": kernel.reduction is not None,
        "sought": None if request.sought is None else asdict(request.sought),
    }


def fingerprint(kernel: NativeKernel) -> str:
    """A hash of the lowered model, its constants and the layout of its states; of a reduced search also of the steps
    that it takes.
    """
    steps = "" if kernel.reduction is None else f"\0{kernel.reduction.name}"
    return hashlib.sha256(f"{kernel.model!r}\0{kernel.layout!r}{steps}".encode()).hexdigest()


@frozen
class StoredSearch:
    """The search that a work directory describes."""

    entry: Entry
    constants: dict[str, Any]
    only: list[str] | None
    stop_at_first: bool
    reduced: bool = False


def stored_search(path: Path | str) -> StoredSearch:
    """The search in a work directory.  Raises UsageError if it holds no search of a model's own properties, or if the
    model is missing or must not be executed (`checker.trust`).
    """
    with work_directory_errors():
        stored = WorkDirectory.read(path, HEADER).header
    entry, only = find_named(stored["model"], f"the work directory {path}"), stored["properties"]
    chosen = None if only is None else list(only)
    sought = sought_of(stored)
    if sought is not None:
        what = f"{path} holds a search {sought.what}, not of the properties of {entry.reference}"
        raise UsageError(
            what, remedy=f"Give the command again that made it: checker {sought.command} ... --workdir DIR."
        )
    return StoredSearch(entry, stored["constants"], chosen, stored["stop_at_first"], is_reduced(stored))


def is_reduced(stored: Mapping[str, Any]) -> bool:
    """Whether this is the header of a reduced search; headers of November 2026 do not say so, and are of none."""
    return bool(stored.get("reduced", False))


def sought_of(stored: Mapping[str, Any]) -> Sought | None:
    """What a stored search is for if not for properties of its model; headers of November 2026 do not say so."""
    found: Sought | None = stored.get("sought")
    return found


@contextmanager
def work_directory_errors() -> Iterator[None]:
    """Turn errors of the work directory into usage errors, because the user can remedy them."""
    try:
        yield
    except StoredFileError as error:
        remedy = "Make room there." if isinstance(error, FullWorkDirectoryError) else None
        raise UsageError(str(error), remedy=remedy) from None


def _constant(data: Any) -> Any:
    if isinstance(data, list):
        return array(_constant)(data)
    if data is not None and type(data) not in (bool, int, str):
        raise WrongShape("the value of a constant", data)
    return data


_PARTS: dict[str, Reader[Any]] = {
    "model": text,
    "constants": table(_constant),
    "properties": optional(array(text)),
    "stop_at_first": truth,
    "networks": table(whole(1, LARGEST_NETWORK)),
    "words": whole(1),
    "fingerprint": text,
    "actions": array(text),
    "findings": array(text),
    "reduced": truth,
    "sought": optional(record(Sought, {"command": text, "what": text, "other": text})),
}
HEADER = parts(_PARTS, frozenset(_PARTS) - {"reduced", "sought"})
"""The type of what `header` returns."""


def require_same(directory: WorkDirectory, kernel: NativeKernel) -> None:
    """Raise UsageError if the stored search is not one of this kernel's model, or if only one of the two is reduced."""
    _require_same_graph(directory, kernel.reduction is not None)
    if directory.header["fingerprint"] != fingerprint(kernel):
        sought = sought_of(directory.header)
        other = "of another model" if sought is None else sought.other
        what = f"{directory.folder} holds a search {other}: {directory.header['model']} has changed, or the checker has"
        remedy = "Restore the model, or start again with another work directory."
        raise UsageError(what, remedy=remedy)
    counters, findings = 2 * len(kernel.actions) + 3, len(kernel.findings)
    for level in directory.levels:
        if len(level.counters) != counters or any(n >= findings for n in level.found):
            other = f"the manifest of level {level.number} counts other actions or findings than the model has"
            remedy = "Start again with another work directory."
            raise UsageError(f"{directory.folder}: {other}", remedy=remedy)


def _require_same_graph(directory: WorkDirectory, reduced: bool) -> None:
    stored = is_reduced(directory.header)
    if reduced and not stored:
        what = f"{directory.folder} holds a search of all states, and --reduce leaves some out"
        raise UsageError(what, remedy="Leave out --reduce, or name another work directory.")
    if stored and not reduced:
        what = f"{directory.folder} holds a reduced search, which leaves states out"
        below = [str(folder) for folder in WorkDirectory.below(directory.folder)]
        remedy = f"{' and '.join(below)} holds the search of all states that shows the violation" if below else ""
        remedy = remedy or "Search without --reduce in another work directory, for questions about all"
        raise UsageError(what, remedy=f"{remedy}.")


def ended(directory: WorkDirectory) -> bool:
    """Whether nothing is left to do: everything is expanded, or a violation has ended the search."""
    last = directory.levels[-1] if directory.levels else None
    if last is None:
        return False
    violated = any(_kind(finding) != "reachable" for finding in findings_of(directory))
    return last.rows == 0 or (violated and bool(directory.header["stop_at_first"]))


def findings_of(directory: WorkDirectory) -> tuple[str, ...]:
    """What a stored search has found so far, as its header names it.  Raises WorkDirectoryError."""
    names, found = directory.header["findings"], directory.levels[-1].found if directory.levels else ()
    if any(number >= len(names) for number in found):
        what = f"{directory.folder} is damaged: a level has findings that search.json does not name"
        raise WorkDirectoryError(f"{what}; start again with another work directory")
    return tuple(names[number] for number in found)


def _finding(kind: str, name: str, line: int) -> str:
    return f"{kind} {name} {line}"


def _kind(finding: str) -> str:
    return finding.partition(" ")[0]


@frozen
class Elsewhere:
    """Other processes that work on stored states; without one of them, this process does.  run: answers the requests of
    rebuilding paths; ask: answers questions about states; trim: removes states while leads-to properties are decided.
    """

    run: Run | None = None
    ask: Ask = ask_here
    trim: Trim | None = None


HERE = Elsewhere()


def explored_from(
    request: Request,
    kernel: NativeKernel,
    directory: WorkDirectory,
    bound: Bound | None,
    elsewhere: Elsewhere = HERE,
    validate: Callable[[], Validation] | None = None,
    states: Callable[[States], tuple[Raw, ...]] | None = None,
    disk: Disk | None = None,
) -> Explored:
    """The report of a stored search, confirmed by the interpreter on a sample.  elsewhere: other processes that work on
    the stored states; validate: confirms them (default: `validated_stored`); states: the raw states of a path of packed
    ones; disk: for states on disk while leads-to properties are decided (default: the directory of temporary files).
    """
    definition, run = request.definition, elsewhere.run
    with request.phases("validate"):
        validation = validate() if validate else validated_stored(definition, (kernel, kernel.optimised()), directory)
    raw = states or partial(states_of, definition, kernel)
    with request.phases("paths"):
        found = _found(kernel, directory, run, raw)
    survey = partial(_survey, kernel, directory, elsewhere.ask, run)
    outcome_runs = cache(partial(_outcome_runs, definition.model.outcome, survey, raw))
    levels, actions = directory.levels, len(kernel.actions)
    counters = [sum(counts) for counts in zip([0] * (2 * actions + 3), *(level.counters for level in levels))]
    sizes = tuple(level.rows for level in levels if level.rows)
    unexpanded = levels[-1].rows if levels else 0
    faults, firsts = {a.name: a.fault for a in definition.actions}, _first_levels(directory, kernel)

    def behaviour() -> StoredBehaviour:
        with work_directory_errors():
            sample = stored_rows(directory, kernel.words, COMPARED)
            return stored_behaviour(request, kernel, survey(), sample, disk, elsewhere.trim)

    return Explored(
        distinct=sum(sizes),
        transitions=counters[-3],
        depth=len(sizes),
        initial=sizes[0] if sizes else 0,
        quiescent=counters[-2],
        cut=counters[-1],
        actions=tuple(
            ActionReport(name, counters[i], counters[actions + i], firsts.get(name), faults[name])
            for i, name in enumerate(kernel.actions)
        ),
        found=found,
        levels=sizes,
        complete=bound is None and unexpanded == 0,
        bound=bound,
        expanded=(len(levels) - 1 if unexpanded else len(sizes), unexpanded),
        peak_memory=peak_resident(),
        outcomes=lambda: [run.outcome for run in outcome_runs()],
        outcome_runs=outcome_runs,
        behaviour=cache(behaviour),
        validation=validation,
        survey=survey,
    )


def _survey(kernel: NativeKernel, directory: WorkDirectory, ask: Ask, run: Run | None) -> Survey:
    """The states of a stored search; its last level is not expanded, if there is one."""

    def pieces(blocks: Sequence[Block]) -> tuple[StoredPiece, ...]:
        return tuple(StoredPiece(directory.data, block, kernel.words) for block in blocks if block.rows)

    def told(question: Question, asked: Sequence[Piece]) -> Iterator[Any]:
        with work_directory_errors():
            yield from ask(question, asked)

    levels = directory.levels
    actions = len(kernel.actions)
    taken = tuple(sum(level.counters[actions + i] for level in levels) for i in range(actions))
    stored = tuple(pieces(level.files) for level in levels)
    expanded = tuple(piece for level in stored[:-1] for piece in level)
    rest = tuple(pieces(level.quiescent) for level in levels[1:])
    return Survey(kernel, stored, rest, expanded, tuple(level.rows for level in levels), taken, ask=told, run=run)


def _first_levels(directory: WorkDirectory, kernel: NativeKernel) -> dict[str, int]:
    """For each action that was taken, the number of steps after which it was first taken."""
    taken = slice(len(kernel.actions), 2 * len(kernel.actions))
    found: dict[str, int] = {}
    for level in reversed(directory.levels):
        found |= {name: level.number for name, n in zip(kernel.actions, level.counters[taken]) if n}
    return found


def _found(
    kernel: NativeKernel, directory: WorkDirectory, run: Run | None, states: Callable[[States], tuple[Raw, ...]]
) -> tuple[Found, ...]:
    levels = directory.levels
    if not levels or not levels[-1].found:
        return ()

    def pieces(level: int) -> list[StoredPiece]:
        return [StoredPiece(directory.data, block, kernel.words) for block in levels[level].files]

    try:
        rebuilt = trails(kernel, pieces, len(levels), levels[-1].found, run)
    except NotShown:
        damage = "its states do not show what levels/*.json say was found"
        what = f"{directory.folder} is damaged: {damage}; start again with another work directory"
        raise WorkDirectoryError(what) from None
    rebuilt.sort(key=lambda trail: kernel.findings[trail.number].kind == "reachable")  # witnesses last
    return tuple(
        Found(shown(kernel.findings[trail.number], trail.beyond, trail.cut), trail.steps, partial(states, trail.states))
        for trail in rebuilt
    )


MOST_READ = 1 << 26
"""Bytes of states that are read back for validation; each file is read as a whole, for its checksum."""


def validated_stored(
    definition: Definition, kernels: Sequence[NativeKernel], directory: WorkDirectory, words: int | None = None
) -> Validation:
    """How far the interpreter confirms a stored search, whichever process searched which level: states of every level,
    and quiescent ones.  kernels: compiled codes, any of which may have made a level; words: of a stored state, if they
    are more than those of a state of the model, which are the first.
    """
    kernel = kernels[0]
    words = words or kernel.words
    levels, firsts = directory.levels, _first_levels(directory, kernel)
    parts = [level.files for level in levels if level.rows]
    parts += [level.quiescent for level in levels if level.quiescent]
    blocks = [block for part in parts for block in part]
    everything = 8 * words * sum(block.rows for block in blocks) <= MOST_READ
    if not everything:
        largest = 8 * words * max(block.rows for block in blocks)
        blocks = [blocks[i] for i in evenly(len(blocks), max(1, MOST_READ // largest))]
    sizes = tuple(sum(b.rows for b in part) for part in parts) if everything else tuple(b.rows for b in blocks)
    stored = StoredStates(directory.data, blocks, words, kernel.words)
    known = firsts if everything else dict.fromkeys(firsts)
    reached = Reached(sizes, stored.rows, sum(level.rows for level in levels), firsts=known)
    transitions, seconds = sum(level.counters[-3] for level in levels), sum(level.seconds for level in levels)
    initial = stored.block(0) if everything and levels and len(levels[0].files) == 1 else None
    if initial is not None and words > kernel.words:
        initial = initial[firsts_of(initial)]
    others = tuple(dict.fromkeys(kernels))[1:]
    return Validator(definition, kernel, transitions, seconds, others).run(reached, initial, len(levels) > 1)


def _outcome_runs(
    names: Sequence[str], survey: Callable[[], Survey], states: Callable[[States], tuple[Raw, ...]]
) -> list[OutcomeRun]:
    """Distinct outcomes, in canonical order, each with a run to it.  states: the raw states of a path."""
    asked = survey()
    rows, levels = asked.values(names, rest=True)

    def path(row: int) -> tuple[Raw, ...]:
        with work_directory_errors():
            return states(asked.run_to(names, rows[row : row + 1], int(levels[row]), rest=True))

    decoded = [{n: values[n] for n in names} for values in map(asked.kernel.decode, rows)]
    places = np.argsort(np.argsort(levels, kind="stable"))  # by steps
    runs = [OutcomeRun(decoded[i], int(places[i]), partial(path, i)) for i in range(len(rows))]
    return sorted(runs, key=lambda run: repr(run.outcome))

"""Predicates in the names of a model as further columns of its stored states: compiled, and evaluated block by block.

The predicates become invariants of a class derived from the model (`checker.analysis.predicate`), which no search
checks.  Where the evaluation of a predicate is an error, its column is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from checker.analysis.predicate import in_the_words_of, resolved, with_predicate
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.codec import reader
from checker.backends.native.graph import GraphKernel, compile_graph
from checker.backends.native.judging import FAILED
from checker.backends.native.layout import state_layout
from checker.contract import States
from checker.engines.committed import HEADER, StoredSearch, stored_search, work_directory_errors
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language.define import define
from checker.language.definition import Definition, PropertyDefinition
from checker.language.errors import UsageError
from checker.language.model import Model, invariant
from checker.search.block_files import Block, read_block
from checker.search.folders import Folder
from checker.search.workdir import WorkDirectory
from checker.validation.answers import differ
from checker.validation.graph import TRUTHS, truth_of
from checker.validation.sample import evenly

A_FILE = 4
"""States of each file that are compared."""
Answers = NDArray[np.uint8]
"""Answers for states, (n, predicates), as in `GraphKernel.answers`."""


@frozen
class Asked:
    """Predicates over the files of a search, as a task gets them: the lowered model, its functions with the names of
    their columns, and the files with the number of the first state of each.
    """

    model: Lowered
    functions: tuple[str, ...]
    names: tuple[str, ...]
    words: int
    data: Folder
    files: tuple[tuple[Block, int], ...]

    def kernel(self) -> GraphKernel:
        """The compiled predicates."""
        return compile_graph(evolve(self.model, actions=()), (), (), self.functions, quick=True)

    def nothing(self) -> Any:
        """The table of no states."""
        return self.table(np.zeros((0, len(self.names)), np.uint8))

    def states(self, number: int) -> States:
        """The states of a file."""
        return read_block(self.data, self.files[number][0], self.words)

    def table(self, answers: Answers, first: int = 0) -> Any:
        """The answers for states numbered from `first` as an Arrow table: id, and a column for each predicate."""
        import pyarrow as pa

        columns = {n: pa.array(some == 1, mask=some == FAILED) for n, some in zip(self.names, answers.T)}
        return pa.table({"id": pa.array(np.arange(first, first + len(answers), dtype=np.int64)), **columns})


def sample_of(answers: Answers) -> list[list[int]]:
    """The answers that are compared with the interpreter's."""
    return [answers[place].tolist() for place in evenly(len(answers), A_FILE)]


@frozen(eq=False)
class Predicates:
    """Predicates, their properties in a model, and the work directory."""

    folder: Folder
    definition: Definition
    properties: Sequence[PropertyDefinition]
    asked: Asked

    def here(self) -> Any:
        """The answers for all states, an Arrow table.  Raises Disagreement if the interpreter differs for some."""
        import pyarrow as pa

        kernel, tables, samples = self.asked.kernel(), [self.asked.nothing()], []
        for number, (_, first) in enumerate(self.asked.files):
            answers = kernel.answers(self.asked.states(number))
            tables.append(self.asked.table(answers, first))
            samples.append(sample_of(answers))
        self.confirm(samples)
        return pa.concat_tables(tables)

    def confirm(self, samples: Sequence[Sequence[Sequence[int]]]) -> None:
        """Compare the answers for a sample of each file.  Raises Disagreement if the interpreter differs."""
        interpreter, layout = Interpreter(self.definition), state_layout(self.asked.model)
        readers = [reader(v.type, layout.nodes[v.name]) for v in self.asked.model.variables]
        for number, sample in enumerate(samples):
            states = self.asked.states(number)
            for place, answers in zip(evenly(len(states), A_FILE), sample, strict=True):
                words = states[place].tolist()
                state = tuple(read(words, 0) for read in readers)
                expected = [truth_of(interpreter, p.function, state, p.owner) for p in self.properties]
                if expected != [TRUTHS[answer] for answer in answers]:
                    raise differ(self.definition, "predicates of a question", expected, answers, state)


def predicates_of(where: Path | str, predicates: Mapping[str, str]) -> Predicates:
    """Predicates by name, of a stored search.  Raises UsageError."""
    stored = stored_search(where)
    with ExitStack() as told, work_directory_errors():
        for text in predicates.values():
            told.enter_context(in_the_words_of(stored.entry.cls, text, stored.constants))
        work = WorkDirectory.read(where, HEADER)
        definition = _with(stored, predicates)
        names = [f"asked_{number}" for number in range(len(predicates))]
        model = lower(definition, work.header["networks"])
        words = state_layout(model).words
        if words != work.header["words"]:
            raise UsageError(f"{where} holds states of another layout: the model has changed")
    functions = tuple(next(p.function for p in model.properties if p.name == name) for name in names)
    blocks = [block for level in work.levels for block in level.files]
    firsts = accumulate((block.rows for block in blocks), initial=0)
    asked = Asked(model, functions, tuple(predicates), words, work.data, tuple(zip(blocks, firsts)))
    properties = [next(p for p in definition.properties if p.name == name) for name in names]
    return Predicates(work.folder, definition, properties, asked)


def _with(stored: StoredSearch, predicates: Mapping[str, str]) -> Definition:
    """The model with the predicates, and with the properties of the search: their variables are part of its states."""
    cls: type[Model] = stored.entry.cls
    for number, text in enumerate(predicates.values()):
        cls = with_predicate(cls, f"asked_{number}", resolved(stored.entry.cls, text, stored.constants), invariant)
    kept = type(cls.__name__, (cls,), {"properties": stored.entry.cls.properties, "__module__": cls.__module__})
    names = [f"asked_{number}" for number in range(len(predicates))]
    return define(kept, stored.constants, None if stored.only is None else [*stored.only, *names])

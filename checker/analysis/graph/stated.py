"""Predicates in the words of a model as further columns of its stored states: compiled, and evaluated block by block.

They become invariants of a class derived from the model (`checker.analysis.predicate`), and no search asks whether they
hold.  Where one cannot be evaluated its column is null.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve

from checker.analysis.predicate import in_the_words_of, resolved, with_predicate
from checker.backends.interpreter.interpreter import Interpreter
from checker.backends.native.codec import reader
from checker.backends.native.graph import compile_graph
from checker.backends.native.judging import FAILED
from checker.backends.native.layout import state_layout
from checker.engines.committed import HEADER, StoredSearch, stored_search, work_directory_errors
from checker.frontend.lower import lower
from checker.ir.model import Model as Lowered
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.errors import UsageError
from checker.language.model import Model, invariant
from checker.search.workdir import WorkDirectory, read_block
from checker.validation.answers import differ
from checker.validation.graph import TRUTHS, truth_of
from checker.validation.sample import evenly

A_FILE = 4
"""States of each file that are compared."""


def truths(where: Path | str, predicates: Mapping[str, str]) -> Any:
    """An Arrow table: id, and a column for each predicate by name.  UsageError."""
    import pyarrow as pa

    stored = stored_search(where)
    with ExitStack() as told, work_directory_errors():
        for text in predicates.values():
            told.enter_context(in_the_words_of(stored.entry.cls, text, stored.constants))
        work = WorkDirectory.read(where, HEADER)
        definition = _with(stored, predicates)
        asked = [f"asked_{number}" for number in range(len(predicates))]
        model = lower(definition, work.header["networks"])
        layout = state_layout(model)
        if layout.words != work.header["words"]:
            raise UsageError(f"{where} holds states of another layout: the model has changed")
        functions = tuple(next(p.function for p in model.properties if p.name == name) for name in asked)
        kernel = compile_graph(evolve(model, actions=()), (), (), functions, quick=True)
        blocks = [block for level in work.levels for block in level.files]
        answers = [np.zeros((0, len(asked)), np.uint8)]
        answers += [kernel.answers(read_block(work.data, block, layout.words)) for block in blocks]
        every = np.concatenate(answers)
        _confirm(definition, asked, model, work, every)
    columns = {n: pa.array(some == 1, mask=some == FAILED) for n, some in zip(predicates, every.T)}
    return pa.table({"id": pa.array(np.arange(len(every), dtype=np.int64)), **columns})


def _with(stored: StoredSearch, predicates: Mapping[str, str]) -> Definition:
    """The model with the predicates, and with the properties of the search: their variables are part of its states."""
    cls: type[Model] = stored.entry.cls
    for number, text in enumerate(predicates.values()):
        cls = with_predicate(cls, f"asked_{number}", resolved(stored.entry.cls, text, stored.constants), invariant)
    kept = type(cls.__name__, (cls,), {"properties": stored.entry.cls.properties, "__module__": cls.__module__})
    names = [f"asked_{number}" for number in range(len(predicates))]
    return define(kept, stored.constants, None if stored.only is None else [*stored.only, *names])


def _confirm(definition: Definition, asked: Sequence[str], model: Lowered, work: WorkDirectory, found: Any) -> None:
    """Compare a sample with the interpreter.  Disagreement if it says otherwise."""
    interpreter, layout, first = Interpreter(definition), state_layout(model), 0
    readers = [reader(v.type, layout.nodes[v.name]) for v in model.variables]
    properties = [next(p for p in definition.properties if p.name == name) for name in asked]
    for block in (block for level in work.levels for block in level.files):
        states = read_block(work.data, block, layout.words)
        for place in evenly(len(states), A_FILE):
            words = states[place].tolist()
            state = tuple(read(words, 0) for read in readers)
            expected = [truth_of(interpreter, p.function, state, p.owner) for p in properties]
            if expected != [TRUTHS[answer] for answer in found[first + place].tolist()]:
                raise differ(definition, "predicates of a question", expected, found[first + place].tolist(), state)
        first += block.rows

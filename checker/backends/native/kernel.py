"""A compiled model as a source of successors: blocks of packed states in, blocks of packed states out.

The machine code is called through ctypes, which releases the interpreter lock, and keeps no state of its own: several
threads may call it at once with their own buffers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field
from numpy.typing import NDArray

from checker.backends.native import build, codec, rows
from checker.backends.native.emit import emit
from checker.backends.native.layout import Layout, mask_of, state_layout
from checker.backends.native.runtime import SCRIPT_WORDS
from checker.contract import NEVER, Finding, States, nowhere
from checker.frozen import frozen
from checker.ir.model import Model
from checker.ir.types import Bag, Map, Seq
from checker.ir.values import Raw

if TYPE_CHECKING:
    from checker.ir.stubborn.reduction import Reduction

_BLOCK = 1 << 16

_P, _I = ctypes.c_void_p, ctypes.c_int64
_EXPAND = ctypes.CFUNCTYPE(_I, _P, _I, _I, _P, _P, _I, _P, _P, _P, _P)
_CHECK = ctypes.CFUNCTYPE(None, _P, _I, _P)
_CANONICAL = ctypes.CFUNCTYPE(None, _P, _I)
_EXCHANGE = ctypes.CFUNCTYPE(None, _P, _I, _I, _P)
_INITIAL = ctypes.CFUNCTYPE(_I, _P, _I, _P, _P, _P)


class InitialError(Exception):
    """The construction of the model's initial states failed."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.name} (line {finding.line})")
        self.finding = finding


class NotSymmetric(Exception):
    """A permutation of two interchangeable members maps an initial state (its words) to a state that is not initial."""

    def __init__(self, generator: int, state: NDArray[np.uint64], other: NDArray[np.uint64]) -> None:
        super().__init__(f"exchange {generator}")
        self.generator, self.state, self.other = generator, state, other


@frozen(eq=False)
class NativeKernel:
    """A compiled model.  Rows of states are `words` unsigned 64-bit words; the calls: `checker.contract.Source`."""

    model: Model
    identity: str
    """A text that identifies the model."""
    layout: Layout
    words: int
    actions: tuple[str, ...]
    findings: tuple[Finding, ...]
    quick: bool
    """Compiled without optimisation."""
    reduction: Reduction | None
    """How states are expanded, if not in full."""
    _code: build.Code
    _expand: Any
    _check: Any
    _initial: Any
    _canonical: Any = None
    _exchange: Any = None
    _begin: States | None = None
    """Where runs begin, if not in the initial states of the model."""
    _readers: dict[str, Any] = field(init=False, factory=dict)

    def optimised(self) -> NativeKernel:
        """The same model with optimised code, which is stored in the cache."""
        if not self.quick:
            return self
        better = compile_model(self.model, reduction=self.reduction)
        return better if self._begin is None else better.beginning(self._begin)

    def beginning(self, states: States) -> NativeKernel:
        """The same model, with runs that begin in these states (n, words) instead of its initial ones."""
        return evolve(self, begin=states)

    @property
    def optimising_seconds(self) -> float:
        """The approximate time to optimise the code."""
        return OPTIMISING * self._code.size

    @property
    def expand_address(self) -> int:
        """Where the code of `expand` begins, for callers in native code."""
        return self._code.address("expand")

    @property
    def check_address(self) -> int:
        """Where the code of `check` begins, for callers in native code."""
        return self._code.address("check")

    def initial(self) -> States:
        """The initial states, (n, words); with symmetry reduction their canonical representatives.  Raises
        InitialError, NotSymmetric.
        """
        states = self._all_initial()
        if self.model.symmetry is None:
            return states
        self._require_symmetric_start(states)
        return self.canonical(states)

    def _require_symmetric_start(self, states: States) -> None:
        known = {row.tobytes() for row in states}
        assert self.model.symmetry is not None
        for number in range(len(self.model.symmetry.generators)):
            for row, other in zip(states, self.exchanged(states, number)):
                if other.tobytes() not in known:
                    raise NotSymmetric(number, row, other)

    def canonical(self, states: States) -> States:
        """The canonical representatives of the states (n, words)."""
        result = np.array(states, np.uint64, order="C")
        self._canonical(address_of(result), len(result))
        return result

    def exchanged(self, states: States, generator: int) -> States:
        """These states (n, words) after an exchange of the model's symmetry."""
        states, result = np.ascontiguousarray(states), np.empty_like(states)
        self._exchange(address_of(states), len(states), generator, address_of(result))
        return result

    def _all_initial(self) -> States:
        if self._begin is not None:
            return self._begin
        script = np.zeros(SCRIPT_WORDS, np.uint64)
        first = nowhere(self)
        written = np.zeros(1, np.int64)
        blocks, more = [], 1
        while more:
            block = np.zeros((_BLOCK, self.words), np.uint64)
            more = self._initial(address_of(block), _BLOCK, address_of(script), address_of(first), address_of(written))
            blocks.append(block[: int(written[0])])
        for number in np.flatnonzero(first < NEVER):
            raise InitialError(self.findings[int(number)])
        return blocks[0].copy() if len(blocks) == 1 else np.concatenate(blocks)

    def expand(
        self,
        states: States,
        start: int,
        successors: States,
        parents: NDArray[np.uint32],
        counters: NDArray[np.int64],
        first: NDArray[np.int64],
        quiescent: NDArray[np.uint8],
    ) -> tuple[int, int]:
        """Write all successors of states[start:]; (next row, number written)."""
        written = np.zeros(1, np.int64)
        row = self._expand(
            address_of(states),
            len(states),
            start,
            address_of(successors),
            address_of(parents),
            len(successors),
            address_of(counters),
            address_of(first),
            address_of(quiescent),
            address_of(written),
        )
        return int(row), int(written[0])

    def check(self, states: States, first: NDArray[np.int64]) -> None:
        """Lower first[f] to the first row at which the finding f occurs."""
        self._check(address_of(states), len(states), address_of(first))

    def decode(self, row: NDArray[np.uint64], names: Collection[str] | None = None) -> dict[str, Raw]:
        """The raw values of the variables (or the named ones) of one state."""
        words: list[int] = row.tolist()
        if self.layout.kept:
            words = rows.unpacked(words, self.layout.kept)
        if not self._readers:
            self._readers.update(
                (v.name, codec.reader(v.type, self.layout.nodes[v.name])) for v in self.model.variables
            )
        return {name: self._readers[name](words, 0) for name in (self._readers if names is None else names)}

    def mask(self, names: Iterable[str]) -> NDArray[np.uint64]:
        """The words, (words,), in which exactly the bits of these variables are set."""
        kept, mask = self.layout.kept, mask_of((self.layout.nodes[name] for name in names), self.layout.words)
        if kept:
            mask = rows.packed([word & bits for word, bits in zip(mask, kept)], kept)
        return np.array(mask, np.uint64)

    def capacity(self, name: str) -> int:
        """The packed capacity of a network variable (of each queue, if it is FIFO)."""
        type = next(v.type for v in self.model.variables if v.name == name)
        while isinstance(type, Map):
            type = type.value
        assert isinstance(type, Seq | Bag)
        return type.capacity

    def encode(self, values: Mapping[str, Raw]) -> NDArray[np.uint64]:
        """The words of one state.  ValueError if rows have no room for it."""
        words = [0] * self.layout.words
        for v in self.model.variables:
            codec.write(words, v.type, self.layout.nodes[v.name], 0, values[v.name])
        return np.array(rows.packed(words, self.layout.kept) if self.layout.kept else words, np.uint64)


def address_of(array: NDArray[Any]) -> int:
    """Where a contiguous array begins."""
    assert array.flags.c_contiguous
    try:
        # a fifth of the time that `ctypes` of numpy takes
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]  # an array is a buffer
    except (TypeError, ValueError):  # read-only, or empty
        return int(array.ctypes.data)


FEW_STATES = 100_000
"""For at most this many states optimisation does not pay: 0.2 s less to compile, and up to 0.2 s more to search."""
OPTIMISING = 6.8e-6
"""Seconds to optimise code, for each byte of the quickly compiled code."""


def compile_model(
    model: Model,
    cache: bool = True,
    quick: bool = False,
    reduction: Reduction | None = None,
    identity: str | None = None,
) -> NativeKernel:
    """The native kernel of a model; from the cache on disk if it is there and `cache` allows it.

    quick: if the cache has no optimised code, compile without optimisation, in a seventh of the time; the search
    takes up to three times as long.  reduction: expand states by stubborn sets.  identity: `build.identity` of the
    model, if it is known.
    """
    purpose = () if reduction is None else ("reduced", reduction.name)
    identity = identity or build.identity(model)
    code, quick = build.compiled(identity, purpose, partial(emit, model, reduction), quick, cache=cache)
    layout = state_layout(model)
    return NativeKernel(
        model=model,
        identity=identity,
        layout=layout,
        words=layout.stored_words,
        actions=tuple(a.name for a in model.actions),
        findings=code.notes,
        quick=quick,
        reduction=reduction,
        code=code,
        expand=_EXPAND(code.address("expand")),
        check=_CHECK(code.address("check")),
        initial=_INITIAL(code.address("initial")),
        canonical=_CANONICAL(code.address("canonical_states")) if model.symmetry else None,
        exchange=_EXCHANGE(code.address("exchange_states")) if model.symmetry else None,
    )

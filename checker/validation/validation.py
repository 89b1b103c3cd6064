"""Translation validation: before a verdict of compiled code is reported, the interpreter executes a sample of the
explored states, and must have the same results.

After A. Pnueli, M. Siegel and E. Singerman, "Translation Validation", TACAS 1998: instead of the compiler, each of its
results is verified, here on a sample.  Compared are initial states, successors in order, errors, quiescence,
constraints and properties (`checker.validation.answers`) in states chosen to differ from each other
(`checker.validation.sample`).  A difference is a `Disagreement`: no verdict is given.

The sample depends on the search alone.  The interpreter's work is counted, not timed: reads of variables, executions of
actions, evaluations of properties, each weighted with its approximate microseconds.  Choosing the states and decoding
the output of compiled code takes about as long again.  The allowance grows with the transitions of the search, so that
validation takes at most about a tenth of its time, or 0.15 seconds.  The time limit is only a safeguard, and at least
one state is compared; if it ends the comparison, the result states this, and the extent may differ from run to run.

Where it stops: states outside the sample are not compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import prod

import numpy as np
from attrs import define, evolve, field

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.backends.native.kernel import NativeKernel
from checker.contract import States
from checker.ir.canonical import Canonical
from checker.language.definition import Definition
from checker.language.start import starts
from checker.replay.disagreement import Disagreement, state_text
from checker.replay.symmetry import canonical_of
from checker.results.validated import Validation
from checker.search.result import SearchResult
from checker.validation.answers import Answer, Meaning, compare, compare_starts
from checker.validation.native_answers import Output, Probe
from checker.validation.sample import Reached, chosen

ALLOWANCE = 60_000
"""The smallest allowance, in counted microseconds, however small the search is."""
TRANSITIONS = 1000
"""The allowance grows by a microsecond for this many transitions: a tenth of the search's time, if it takes a hundred
million of them in a second, and less of a slower one.
"""
READ, EXECUTION, EVALUATION, PERMUTATION = 5, 5, 55, 28
"""The approximate microseconds of a read, of an execution for each word of the state, of a property, and of finding a
canonical representative for each word (docs/measurements.md names the machine).
"""
SECONDS, SHARE = 0.3, 0.2
"""The time limit, in CPU seconds of this thread and as a share of the search: twice the intended time."""
STARTS = 256
"""Initial states compared one by one."""
CONFIRMED = 24
"""The number of canonical representatives that are found a second time by their definition."""


def validated(
    definition: Definition, kernels: Sequence[NativeKernel], result: SearchResult, starts: bool = True
) -> Validation:
    """The extent to which the interpreter confirms a search in this process.  kernels: the compiled codes that the
    search used; starts: whether the search began in the initial states.  Raises Disagreement if the interpreter
    differs.
    """
    states, found = result.states(), (*result.violations, *result.witnesses)
    shown = np.array(sorted(v.index for v in found if v.index < result.distinct), np.int64)
    firsts = {a.name: a.first_level for a in result.actions if a.first_level is not None}
    wanted = shown, result.quiescent_indices
    reached = Reached(result.levels, lambda numbers: states[numbers], result.distinct, wanted, firsts)
    every = result.bound is None or result.initial < result.distinct
    validator = Validator(definition, kernels[-1], result.transitions, result.seconds, kernels[:-1])
    return validator.run(reached, states[: result.initial] if starts else None, every)


@define(eq=False)
class Validator:
    """Compares one kernel with the interpreter.  transitions, seconds: of the search; they determine the allowance.
    others: kernels of the same model in other code, which must have the same output in each state of the sample.
    """

    definition: Definition
    kernel: NativeKernel
    transitions: int = 0
    seconds: float = 0.0
    others: Sequence[NativeKernel] = ()
    meaning: Meaning = field(init=False)
    began: float = field(init=False, factory=time.thread_time)
    _evaluated: int = field(init=False, default=0)
    _instances: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        canonical = canonical_of(self.definition, self.kernel.model)
        merging = None if canonical is None else _representative(self.definition, self.kernel, canonical)
        self.meaning = Meaning(Interpreter(self.definition), merging)
        self._instances = instances(self.definition)

    def run(self, reached: Reached, initial: States | None = None, every: bool = True) -> Validation:
        """Compare a sample of the reached states; initial: the initial states in order, if they are known; every: all
        initial states.
        """
        probe = Probe(self.definition, self.kernel)
        others = [Probe(self.definition, kernel) for kernel in self.others]
        started = 0 if initial is None else self._initial(probe, initial, every)
        allowance = max(ALLOWANCE, self.transitions // TRANSITIONS)
        began, states, steps = self.spent, 0, 0
        taken = set[str]()
        cut_short = False
        seen = set[bytes]()  # files of quiescent states repeat states of other files
        for _, output in chosen(probe, reached, allowance // 300):
            if (packed := output.row.tobytes()) in seen:
                continue
            seen.add(packed)
            left = allowance - (self.spent - began)
            if states and self.least(output.steps) > left:
                continue  # a later state with fewer steps may fit the allowance
            if cut_short := states > 0 and self._late():
                break
            state = probe.state(output.row)
            found = probe.answer(output, state)
            expected = self._without_added(self.answer(state, found))
            compare(self.definition, state, expected, self._without_added(found))
            for other in others:
                self._same(other, output, state, expected)
            states, steps = states + 1, steps + found.steps
            taken.update(name for name, n in found.fired if n)
        untaken = tuple(name for name in reached.firsts if name not in taken)
        compared = sum(p.kind != "leads-to" for p in self.definition.properties)
        return Validation(started, states, reached.of, steps, compared, untaken, cut_short)

    def _same(self, probe: Probe, output: Output, state: Raw, expected: Answer) -> None:
        """Compare the output of other code with the interpreter, if it differs from the output compared so far."""
        seen = probe.output(output.row)
        if seen is None or not seen.same(output):
            found = probe.answer(output if seen is None else seen, state)
            compare(self.definition, state, expected, self._without_added(found))

    @property
    def spent(self) -> int:
        """The work of the interpreter so far, in approximate microseconds."""
        interpreter = self.meaning.interpreter
        executed = EXECUTION * self.kernel.words * interpreter.executed
        return READ * interpreter.model.storage.reads + executed + self._evaluated

    def least(self, steps: int) -> int:
        """The least work for a state with this many steps, known before it is executed."""
        return EXECUTION * self.kernel.words * (self._instances + steps) + self._evaluations()

    def _evaluations(self) -> int:
        return EVALUATION * (1 + len(self.definition.properties))

    def _without_added(self, answer: Answer) -> Answer:
        """The answer to be compared.  Additional properties of the lowered model have no method; if there are any,
        findings in the state itself are left out, because they may come from such a property.
        """
        same = {p.name for p in self.kernel.model.properties} <= {p.name for p in self.definition.properties}
        return answer if same else evolve(answer, here=frozenset(), shown_cut=frozenset())

    def _late(self) -> bool:
        return time.thread_time() - self.began > max(SECONDS, SHARE * self.seconds)

    def answer(self, state: Raw, found: Answer) -> Answer:
        """The interpreter's answer; an error that ends its execution is a difference too."""
        self._evaluated += self._evaluations()
        if self.meaning.canonical is not None:
            self._evaluated += PERMUTATION * found.steps * self.kernel.words
        return self.meaning.confirmed(state, "steps " + ", ".join(f"{name} {n}" for name, n in found.fired))

    def _initial(self, probe: Probe, initial: States, every: bool) -> int:
        """Compare the first initial states, in order; return how many.  every: `initial` has all initial states, so the
        interpreter must have no other.
        """
        model = self.meaning.interpreter.model
        canonical = self.meaning.canonical or (lambda state: state)
        expected: dict[Raw, None] = {}
        ended = True
        for number, state in enumerate(starts(model)):
            expected.setdefault(canonical(state))
            if len(expected) > STARTS or number > 8 * STARTS or self._late():
                ended = False
                break
        first = list(expected)[: STARTS if not ended else None]
        found = [probe.state(row) for row in initial[: len(first) + ended]]
        compare_starts(self.definition, first if every else first[: len(found)], found)
        return min(len(first), len(found))


def _representative(definition: Definition, kernel: NativeKernel, canonical: Canonical) -> Callable[[Raw], Raw]:
    """The function to canonical representatives: compiled code.  `checker.ir.canonical`, the definition, takes
    milliseconds for each state, and confirms the first ones.  Raises Disagreement if the two differ.
    """
    confirmed, names = set[Raw](), [v.name for v in definition.variables]

    def representative(state: Raw) -> Raw:
        row = kernel.encode(dict(zip(names, state)))
        values = kernel.decode(kernel.canonical(row.reshape(1, -1))[0])
        found = tuple(values[name] for name in names)
        if len(confirmed) < CONFIRMED and state not in confirmed:
            confirmed.add(state)
            if (expected := canonical(state)) != found:
                what = "the definition of symmetry and compiled code differ: the state that stands for a state"
                one, two = (state_text(definition, x) for x in (expected, found))
                raise Disagreement.of(definition, what, state=state, interpreter=one, other=two)
        return found

    return representative


def first_starts(kernel: NativeKernel) -> tuple[States, bool]:
    """The first initial states of a kernel, in order and each once; and whether these are all initial states."""
    rows = kernel.initial()
    first = list(dict.fromkeys(row.tobytes() for row in rows[: 16 * STARTS]))
    return np.frombuffer(b"".join(first), np.uint64).reshape(-1, kernel.words), len(rows) <= 16 * STARTS


def instances(definition: Definition) -> int:
    """The number of instances of actions that the interpreter tries in a state, without instances of handlers and
    faults.
    """
    return sum(prod(len(p.domain) for p in action.tried) for action in definition.actions)

"""A trace: one run of a model that shows something about a property, in values a person can read.

A trace contains all data of its reports: no report needs the model, the engine or the search. Step `i` (numbered from
1) leads from `states[i - 1]` to `states[i]`. Where a step fails before it has a next state (kinds "error" and
"assert"), its state repeats the one before it, changed as far as the step went.

Kinds: "invariant" (the last state breaks the property), "step" (the last step does), "quiescence" (nothing is enabled
any more and the property fails), "error" (the model left its types), "assert" (an assertion failed), "reachable" (a
requested witness, not a violation), "leads-to" (a lasso: the steps after state `loop` repeat for ever).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import field

from checker.displayed import Displayed
from checker.frozen import frozen
from checker.trace.events import Event, names
from checker.trace.former import Contrast, SharedRun
from checker.trace.reasons import Reason, reasons
from checker.trace.values import FrozenMap, Value

KINDS = ("invariant", "step", "quiescence", "error", "assert", "reachable", "leads-to")
FOUND_BY = ("", "step", "effect", "first", "unproved", "initial", "ending", "property", "shared")
"""How a CAUSE was found: the only step that the former model does not allow ("step"); of several such steps those that
matter, proved by their effect ("effect"); the first, where later steps cannot be compared ("first"); one of several, of
which it is not known which matter ("unproved"); an initial state ("initial"); a step that only the former model takes
at the end ("ending"); a rule that only the property reads ("property").  "shared": there is none, as the former model
has the run too, and breaks the property in it.  "": there is none, or the trace is of an earlier version.
"""


def _events(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(events)


@frozen
class Step:
    """One action taken.

    `args` are its arguments in order; `lane` is the process that acts, None for the environment; `label` the short verb
    text of its box ("receive m1"), made from action and arguments if empty; `fault` marks actions of the environment;
    `events` are in the order in which they happened; `cause` marks a step which the former model does not allow (only
    ever set when that was computed), and `rule` the (file, line) of the condition that decides it; `source` is (file,
    line) of the action; `note` is a remark shown beside the state changes.
    """

    number: int
    action: str
    args: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    lane: str | None = None
    label: str = ""
    fault: bool = False
    events: tuple[Event, ...] = field(converter=_events, default=())
    cause: bool = False
    rule: tuple[str, int] | None = None
    source: tuple[str, int] | None = None
    note: str = ""


def _check_kind(_instance: object, _attribute: object, kind: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"unknown kind of trace {kind!r}: expected one of {', '.join(KINDS)}")


def _check_found_by(_instance: object, _attribute: object, found_by: str) -> None:
    if found_by not in FOUND_BY:
        raise ValueError(f"unknown way to find a CAUSE {found_by!r}: expected one of {', '.join(FOUND_BY[1:])}")


def _steps(steps: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(steps)


def _states(states: Iterable[Mapping[str, Value]]) -> tuple[FrozenMap, ...]:
    return tuple(state if isinstance(state, FrozenMap) else FrozenMap(state) for state in states)


@frozen(kw_only=True, repr=False)
class Trace(Displayed):
    """A finite run, or a lasso, and its finding.

    Required: `model` (display name, "isis"), `property`, `kind`, `states` (k + 1 mappings from variable name to value)
    and `steps` (k of them). Raises ValueError when their numbers disagree or `loop` is no state index.

    reference    what the command line takes to check it again ("isis:DeliverAnyFinal"); the model if empty
    revision     the git commit of the model's file, with all digits; "": the file of today.  `renamed`: each
                 name of the revision that was replaced, with the name in its place
    constants    name -> value, in the order to print
    usual        the constants that have their default values
    witness      one sentence that describes the violation; `witness_values` the values that it names; `asks`: whether
                 it begins with what the property asks
    guilty       the lanes whose last values contradict each other
    loop         index of the state to which the last step returns, None for a finite run
    not_taken    for a lasso: instances that are not fair, enabled all the time in it and never taken
    blocked      where something should have happened: what stays disabled, with condition, values and line
    faults       the faults that can still happen at the end of a run that breaks a quiescence property
    cause        the CAUSE where it is no step but the initial state or what stays disabled at the end, in a sentence
    contrast     the CAUSE in parts, whether it is a step or not; None if there is none, or in a trace of an earlier
                 version
    shared_run   that the former model has the run too, and what is true at its end there; None if it has not
    also         numbers of further steps that are as much the CAUSE as the step that is marked; `together`: whether
                 all of them are needed, and each is not sufficient alone
    found_by     how the CAUSE was found, one of FOUND_BY; differing: where it is not known which of several steps
                 matter, the numbers of all of them
    parted       number of the first step which the former model does not allow, if it is not the one that is marked
    against      name of the class, of the model's file or above the base, with whose steps the CAUSE was found, if it
                 is not the base
    former       where the protocol before the edit breaks the property with these constants too, a sentence; there is
                 no CAUSE of the edit then; `former_steps`: the length of the run of that protocol, if it is another run
    vacuous      where the protocol before the edit keeps the property only because nothing happens that it is about, a
                 sentence; the run is not compared with it then
    settled      number of the step that settles the violation: after it every continuation without a fault has it;
                 `settles`: what this step does, in a sentence
    earlier      if no step is known to settle it: number of the step that set what the condition reads that let the
                 last step violate the property; `settles`: what it does; `mended`: whether that says what another
                 class does there, which keeps the property
    opposite     numbers of the steps whose statements the one that violates the property contradicts; `opposes`: what
                 each of these statements does, in a sentence
    decides      without a CAUSE: what the statement does that breaks the property in the last step, with its line, and
                 the condition that let it be executed (`statement` and `because` are the two parts); of something
                 that is missing the first of `blocked` with a line
    claim        what the search vouches for ("breadth-first, no shorter trace exists"), None if nothing
    edit         one line that describes the edit, after a word in capitals (READING, REPAIR, ATTEMPT) if it is no
                 mere edit; None for a protocol as published, of which `protocol` has the first sentence of its class
    lanes        processes, groups or servers, in the order to draw
    final_values lane -> short text of its observable value at the end ("delivered [m1, m2]"); variable -> text of one
                 that no lane owns
    unexplained  that reasons are missing because the checker failed while it sought them, in a sentence
    networks     variables that hold messages in flight: events show their changes, so reports leave them out
    shared       variable -> (title, entry) of one with a lane of its own, as the model declares it
    clocks       variables that are clocks; badges: variable -> word of one that holds the processes who bear it
    aside        variables that diagrams leave out
    verdicts     property -> its truth in each state, where known
    version      version of the checker; `engine` which back end found the trace
    """

    model: str
    property: str
    kind: str = field(validator=_check_kind)
    states: tuple[FrozenMap, ...] = field(converter=_states)
    steps: tuple[Step, ...] = field(converter=_steps)
    reference: str = ""
    revision: str = ""
    renamed: tuple[tuple[str, str], ...] = ()
    constants: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    usual: tuple[str, ...] = field(converter=names, default=())
    witness: str = ""
    witness_values: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    asks: bool = False
    guilty: tuple[str, ...] = field(converter=names, default=())
    loop: int | None = None
    not_taken: tuple[str, ...] = field(converter=names, default=())
    blocked: tuple[Reason, ...] = field(converter=reasons, default=())
    faults: tuple[str, ...] = field(converter=names, default=())
    cause: str = ""
    contrast: Contrast | None = None
    shared_run: SharedRun | None = None
    also: tuple[int, ...] = ()
    together: bool = False
    found_by: str = field(validator=_check_found_by, default="")
    differing: tuple[int, ...] = ()
    parted: int | None = None
    against: str = ""
    former: str = ""
    vacuous: str = ""
    former_steps: int | None = None
    settled: int | None = None
    earlier: int | None = None
    settles: str = ""
    mended: bool = False
    opposite: tuple[int, ...] = ()
    opposes: tuple[str, ...] = field(converter=names, default=())
    decides: str = ""
    statement: str = ""
    because: str = ""
    otherwise: tuple[str, ...] = field(converter=names, default=())
    unexplained: str = ""
    claim: str | None = None
    edit: str | None = None
    protocol: str | None = None
    lanes: tuple[str, ...] = field(converter=names, default=())
    final_values: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    networks: tuple[str, ...] = field(converter=names, default=())
    shared: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    clocks: tuple[str, ...] = field(converter=names, default=())
    badges: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    aside: tuple[str, ...] = field(converter=names, default=())
    verdicts: FrozenMap = field(converter=FrozenMap, factory=FrozenMap)
    version: str = ""
    engine: str = ""

    def display_name(self) -> str:
        """The model in reports: what the command line takes; with the revision, if it is of one."""
        return self.model if self.revision else self.reference or self.model

    def heading(self) -> str:
        return f"{self.display_name()}, {self.property}, steps: {len(self.steps)}"

    def __attrs_post_init__(self) -> None:
        if len(self.states) != len(self.steps) + 1:
            raise ValueError(f"{len(self.steps)} steps need {len(self.steps) + 1} states, not {len(self.states)}")
        if self.loop is not None and not 0 <= self.loop < len(self.states):
            raise ValueError(f"a run of {len(self.states)} states cannot loop to state {self.loop}")

    def is_violation(self) -> bool:
        """Whether the trace is a counterexample, not a requested witness."""
        return self.kind != "reachable"

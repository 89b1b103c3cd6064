"""A lowered model: the input of every compiled back end.

Constants are folded, domains are fixed, procedures are inlined, and observers of properties are part of the actions.
"""

from __future__ import annotations

from attrs import field

from checker.frozen import frozen
from checker.ir.expressions import Expression
from checker.ir.statements import Statement
from checker.ir.types import Type


@frozen
class Parameter:
    """A parameter of an action (every value of its enumerable type is tried, in canonical order) or of a function."""

    name: str
    type: Type


@frozen
class StateVariable:
    """A variable of the state.  Observer variables are named Property.variable."""

    name: str
    type: Type


@frozen
class Function:
    """A pure function of the state and its parameters (a rule, a property).  Locals are declared with their types.

    `body` ends every path with Return.
    """

    name: str
    parameters: tuple[Parameter, ...]
    locals: tuple[Parameter, ...]
    result: Type
    body: tuple[Statement, ...]


@frozen
class Action:
    """A guarded action.  `fault`: an environment action, which never counts as progress.

    `received`: for a handler, an expression that identifies the message that it takes (by source, target and body).  It
    reads locals that the choices at the head of the body bind, and is evaluated before the first statement that is
    neither Choose nor Require.  Only fairness uses it.
    """

    name: str
    parameters: tuple[Parameter, ...]
    locals: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    fault: bool = False
    line: int = 0
    received: tuple[Expression, ...] = ()


@frozen
class Property:
    """kind: invariant, step, quiescence, reachable, leads-to.  The function has no parameters and result Bool.

    An invariant or quiescence property is violated where the function is false (quiescence: in quiescent states only);
    a step invariant where it is false over the two states of a step (`Variable.before`); reachable is shown where the
    function is true. A leads-to property is about whole runs: its function is the consequent, and `when` names the
    antecedent; searches, which see one step, ignore it.  A leads-to property with parameters is one for each of their
    values: `each` has the two functions (when, then) of every one, in the order of the values; `function` and `when`
    are those of the first.
    """

    name: str
    kind: str
    function: str
    line: int = 0
    when: str = ""
    each: tuple[tuple[str, str], ...] = ()

    @property
    def predicates(self) -> tuple[str, ...]:
        """The functions that define it."""
        return tuple(name for pair in self.each for name in pair) if self.each else (self.function,)


@frozen
class Symmetry:
    """The symmetry reduction of a model; see `checker.ir.symmetry`.

    types: the names of the permuted types.  generators: actions that exchange two neighbouring members of a type and do
    nothing else.  walk, sort: numbers of generators.  The canonical representative of a state is the least among the
    states on the walk that begins in it, each sorted by the exchanges `sort` of neighbours.
    """

    types: tuple[str, ...]
    generators: tuple[Action, ...]
    walk: tuple[int, ...]
    sort: tuple[int, ...]


@frozen
class Model:
    """A whole model.

    `initial` builds the initial states: it starts from the state whose words are all zero, assigns every variable, and
    may Choose; Require and the like have their usual meaning.  `constraints` name Bool functions; a successor at which
    one is false is checked, counted as a transition, but not stored.  `kept`: for each word of the packed state, the
    bits that stored states have (empty: all); too little room is as in `checker.ir.fitted`.
    """

    name: str
    variables: tuple[StateVariable, ...]
    functions: tuple[Function, ...]
    initial: Action
    actions: tuple[Action, ...]
    properties: tuple[Property, ...]
    constraints: tuple[str, ...] = ()
    symmetry: Symmetry | None = None
    kept: tuple[int, ...] = ()
    _named: dict[str, Function] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_named", {f.name: f for f in self.functions})

    def function(self, name: str) -> Function:
        """The function with that name."""
        return self._named[name]

"""What leads-to means, decided by brute force: read off docs/language.md and docs/semantics.md, and off nothing that
the product does with graphs.

The interpreter gives states and steps.  A fair run that never comes to `then` is looked for in a graph of pairs: a
state without `then`, and the number of an instance that the run still owes something to.  The number goes on when a
step takes the instance, or leaves a state in which it is not enabled.  A run is weakly fair exactly if its number goes
round for ever; so there is one exactly if some cycle of pairs goes round (Y. Choueka, "Theories of automata on
omega-tapes", 1974).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import product
from typing import Any

from attrs import field, frozen

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.language.definition import Definition, PropertyDefinition

Instance = tuple[Hashable, ...]


class TooLarge(Exception):
    """More states than are wanted."""


@frozen
class Edge:
    """A step: where to, which instance takes it, and what it is called; `weakly_fair`: the instance is one that
    fairness speaks of.
    """

    target: int
    instance: Instance
    weakly_fair: bool
    name: str
    arguments: tuple[tuple[str, Any], ...]


@frozen
class Runs:
    """All runs: states in order of discovery, the steps out of each, the weakly fair instances enabled in each, whether
    a run may end there, and levels.

    `wrong`: some execution is an error.  `cut`: some successor is outside a constraint.
    """

    definition: Definition
    interpreter: Interpreter
    states: list[Raw] = field(factory=list)
    edges: list[list[Edge]] = field(factory=list)
    enabled: list[set[Instance]] = field(factory=list)
    ends: list[bool] = field(factory=list)
    levels: list[int] = field(factory=list)
    wrong: list[bool] = field(factory=list)
    cut: list[bool] = field(factory=list)


def runs(definition: Definition, most: int) -> Runs:
    """Every state and step.  TooLarge with more than so many states."""
    result = Runs(definition, Interpreter(definition))
    numbers: dict[Raw, int] = {}

    def number(state: Raw, level: int) -> int:
        if state not in numbers:
            numbers[state] = len(result.states)
            result.states.append(state)
            result.levels.append(level)
        return numbers[state]

    for state in result.interpreter.initial():
        if result.interpreter.kept(state):
            number(state, 0)
    for at, state in enumerate(result.states):  # grows on the way
        _expand(result, at, state, number)
        if len(result.states) > most:
            raise TooLarge
    return result


def _expand(result: Runs, at: int, state: Raw, number: Callable[[Raw, int], int]) -> None:
    edges: list[Edge] = []
    enabled: set[Instance] = set()
    end = True
    for step in list(result.interpreter.steps(state)):
        crash = step.action.kind != "crash" and any(e.name == "crash" for e in step.events)
        still = step.action.changing and step.after in (None, state)  # only its changes count
        # faults are promised to nobody, a crash in the middle of a step is one
        weakly_fair = not step.action.fault and step.action.fair and not crash and not still
        end = end and not weakly_fair
        if step.after is None:
            result.wrong.append(True)
            continue
        if not result.interpreter.kept(step.after):
            result.cut.append(True)
            continue
        instance = _instance(result.interpreter, state, step)
        if weakly_fair:
            enabled.add(instance)
        edges.append(
            Edge(number(step.after, result.levels[at] + 1), instance, weakly_fair, step.action.name, step.arguments)
        )
    result.edges.append(edges)
    result.enabled.append(enabled)
    result.ends.append(end)


def _instance(interpreter: Interpreter, state: Raw, step: Step) -> Instance:
    """An action with its parameters; a handler with source, target and body of the message that its first choice
    takes."""
    if step.action.kind != "receive":
        return step.action.name, *(value for _, value in step.arguments)
    interpreter.model.set_raw_state(state)
    network = interpreter.model.get_variable(str(step.action.network))
    definition = network.definition
    if definition.fifo:
        source, target = list(product(definition.process.members, repeat=2))[step.choices[0]]
        head = network.content[source][target][0]
        return step.action.name, source, target, head.body if definition.carries else head
    source, target, body = list(network.messages())[step.choices[0]][:3]
    return step.action.name, source, target, body


def components(nodes: int, successors: Callable[[int], Iterable[int]]) -> list[int]:
    """The number of the strongly connected component of each node (R. Tarjan, "Depth-first search and linear graph
    algorithms", 1972), without recursion."""
    index: list[int | None] = [None] * nodes
    low, component = [0] * nodes, [-1] * nodes
    stack: list[int] = []
    counter = found = 0
    for root in range(nodes):
        if index[root] is not None:
            continue
        work = [(root, iter(successors(root)))]
        index[root] = low[root] = counter
        counter += 1
        stack.append(root)
        while work:
            node, rest = work[-1]
            after = next(rest, None)
            if after is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    while component[node] < 0:
                        component[stack.pop()] = found
                    found += 1
            elif index[after] is None:
                index[after] = low[after] = counter
                counter += 1
                stack.append(after)
                work.append((after, iter(successors(after))))
            elif component[after] < 0:
                low[node] = min(low[node], index[after] or 0)
    return component


@frozen
class Judged:
    """What the documentation says of one property: the first state from which a run breaks it (None: it holds), and the
    steps from there to where it may stay or stop."""

    start: int | None
    stem: int = 0


def judge(all_runs: Runs, when: Sequence[bool], then: Sequence[bool]) -> Judged:
    """The verdict on `when` leads to `then`, by their values in every state."""
    lasting = lasts(all_runs, then)
    good = [lasting[s] or all_runs.ends[s] and not then[s] for s in range(len(then))]
    for start in range(len(then)):
        if when[start] and not then[start]:
            stem = _distance(all_runs, then, start, good)
            if stem is not None:
                return Judged(start, stem)
    return Judged(None)


def lasts(all_runs: Runs, then: Sequence[bool]) -> list[bool]:
    """For each state whether it lies on a fair cycle without `then`."""
    n = len(then)
    weakly_fair = sorted({i for s in range(n) if not then[s] for i in all_runs.enabled[s]}, key=repr)
    k = len(weakly_fair) + 1  # the last number belongs to no instance: with it a run goes round

    def following(pair: int) -> Iterable[int]:
        state, at = divmod(pair, k)
        if then[state]:
            return
        for edge in all_runs.edges[state]:
            if not then[edge.target]:
                served = (
                    at == k - 1
                    or weakly_fair[at] not in all_runs.enabled[state]
                    or edge.weakly_fair
                    and edge.instance == weakly_fair[at]
                )
                yield edge.target * k + ((at + 1) % k if served else at)

    component = components(n * k, following)
    round_ = {component[p] for p in range(k - 1, n * k, k) for q in following(p) if component[p] == component[q]}
    return [any(component[s * k + at] in round_ for at in range(k)) for s in range(n)]


def _distance(all_runs: Runs, then: Sequence[bool], start: int, good: Sequence[bool]) -> int | None:
    """Steps from start to the nearest good state, none of them to one with `then`."""
    seen, frontier, steps = {start}, [start], 0
    while frontier:
        if any(good[s] for s in frontier):
            return steps
        frontier = list(
            dict.fromkeys(
                e.target for s in frontier for e in all_runs.edges[s] if not then[e.target] and e.target not in seen
            )
        )
        seen.update(frontier)
        steps += 1
    return None


def truth(all_runs: Runs, property: PropertyDefinition) -> tuple[list[bool], list[bool]]:
    """`when` and `then` in every state."""
    assert property.when is not None
    return tuple(
        [all_runs.interpreter.holds(f, s, property.owner) for s in all_runs.states]
        for f in (property.when, property.function)
    )  # type: ignore[return-value]


def fair(all_runs: Runs, states: Sequence[int], taken: Sequence[set[Instance]]) -> Instance | None:
    """An instance that a cycle through these states (the last step leads back to the first) owes, or None; `taken`:
    what each step may be."""
    weakly_fair = set.intersection(*(all_runs.enabled[s] for s in states)) - set().union(*taken)
    return min(weakly_fair, key=repr, default=None)

"""The statement of an edited handler, action or other method at which a step departs from the protocol before the edit.

Both versions are executed from the same state with the same arguments (`checker.replay.executed`), and their effects
are compared in order.  The note shows the reason of the first difference: among the statements executed since the last
common effect, the first edited one whose condition or value differs from its counterpart before the edit, or else the
effects themselves.

Where it stops: a method that the other protocol does not have is not entered, only its call is compared; among several
executions with the same arguments, which differ in their choices, the most similar one is used.
"""

from __future__ import annotations

import ast
import inspect
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from attrs import evolve

from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.frozen import frozen
from checker.language.definition import Definition
from checker.language.model import Model
from checker.language.places import function_node, is_text, statements
from checker.replay.asked import told_apart
from checker.replay.cited import Place, cited, shortened
from checker.replay.counterparts import ask_the_contrary, counterparts, head_of
from checker.replay.deciding import cut, methods_of
from checker.replay.executed import Done, Execution, executions
from checker.replay.own_constants import names_changed
from checker.replay.reading import nodes_of, reaches
from checker.replay.writers import Differing, differing
from checker.trace.former import Contrast

TESTS = (ast.If, ast.While, ast.For)
LEAVING = (ast.Break, ast.Continue, ast.Pass, ast.Return)
NOTHING, NOT = "does nothing more", "does not"
Method = tuple[str, ast.FunctionDef]
"""A method in the file that has it."""


@frozen
class Parting:
    """The effect of the edit, the effect before the edit, and the line of each."""

    edited: str
    before: str
    place: Place | None
    former: Place | None
    reads: bool = False  # whether the deciding statement reads a constant that the edit changes
    sides: tuple[Done | None, Done | None] = (None, None)  # what each version does
    decided: bool = False  # whether these are a condition or value of each version, and its counterpart
    later: bool = False  # whether the version before the edit does the same later

    def contrast(self, instance: str, base: str, constants: tuple[str, str] = ("", "")) -> Contrast:
        """Both about an instance of the action.  base: the class of the other version; constants: those with two
        values, for each version.
        """
        with_now, with_before = (f" with {text}" if self.reads else "" for text in constants)
        asked, asked_before = told_apart(self.edited, self.before, (self.place, self.former))
        was = f"{self.before}{cited(self.former) if self.former != self.place else ''}{asked_before}{with_before}"
        now, places = f"{self.edited}{cited(self.place)}{asked}{with_now}", (self.place, self.former)
        place, former = (place and shortened(place) for place in places)
        return Contrast(now, f"it {was}", base, instance, place=place, former=former)


@frozen
class _Edited:
    """Methods whose statements differ from those before: both functions, and for each edited statement its counterpart
    (None: it has none).
    """

    edited: Mapping[Any, Callable[..., Any]]
    before: Mapping[Any, Callable[..., Any]]
    partners: Mapping[ast.stmt, ast.stmt | None]
    others: Mapping[ast.stmt, Method]  # the method of the other version that corresponds to the method of a statement

    def is_alone(self, done: Done | None) -> bool:
        """Whether this is an effect that the other version does not have."""
        return done is not None and done.effect and self.partners.get(done.node, done.node) is None

    def most_informative(self, done: Sequence[Done], other: Sequence[Done]) -> Done | None:
        """The most informative of the effects up to a difference: this effect if it was edited or the other version
        does nothing more, else the first edited test whose counterpart was not executed, else the effect.
        """
        effect = done[-1] if done and done[-1].effect else None
        alone = not (other and other[-1].effect)
        if effect is not None and (alone or effect.node in self.partners):
            return effect
        tests = (d for d in done if isinstance(d.node, TESTS) and d.node in self.partners)
        return next((d for d in tests if all(o.node is not self.partners[d.node] for o in other)), effect)

    def test_around(self, effect: Done, done: Sequence[Done]) -> Done | None:
        """The test that only this version has, wherever it stands, and in which an effect stands."""
        if not effect.effect:
            return None
        heads = Counter(map(head_of, self.partners))
        tests = (d for d in reversed(done) if isinstance(d.node, ast.If) and heads[head_of(d.node)] == 1)
        return next((d for d in tests if any(inner is effect.node for inner in statements(d.node))), None)

    def is_kept(self, effect: Done, other: Done, done: Sequence[Done]) -> bool:
        """Whether the version that does something else first (other) has an effect too: it executes this effect as
        well, or has this statement or its counterpart behind the other, where a crash may have ended the step before.
        """
        if not (effect.effect and other.effect) or head_of(effect.node) == head_of(other.node):
            return False
        partner = self.partners.get(effect.node, effect.node)
        return partner not in (None, other.node) or effect.value in [d.value for d in done if d.effect]

    def end(self, done: Sequence[Done], behind: Sequence[Done], other: Done | None) -> tuple[str, Place | None]:
        """What a version does that does nothing more, and its line: the edited statement that leaves a loop, if it is
        the last one behind the common effects; else the last statement of what it did (done) in the method in which the
        other version does something, or that this method is empty; else the first line of this method."""
        method = None if other is None else self.others.get(other.node)
        if method is not None and not any(s for s in method[1].body if not (is_text(s) or isinstance(s, ast.Pass))):
            return f"{NOTHING}: {method[1].name} is empty", _first_line(method)
        last = behind[-1] if behind else None
        if last is not None and isinstance(last.node, LEAVING) and last.node in self.partners:
            return last.words, last.place
        if method is None:
            return NOTHING, None
        own = set(statements(method[1]))
        ending = next((d for d in reversed(done) if d.node in own), None)
        if ending is None:
            return NOTHING, _first_line(method)
        if isinstance(ending.node, LEAVING):
            return NOTHING, ending.place
        words = cut(ending.words)
        does = words.removeprefix("does ")
        return f"{NOTHING} after {does if does != words else f'it {words}'}", ending.place


def parting(
    interpreter: Interpreter, base: Interpreter, states: tuple[Raw, Raw, Raw | None], action: str, refusal: str
) -> Parting | None:
    """Where the step of an action departs from the base.  states: the state of the edit, the state of the base that
    agrees with it, and the state after the step (None: it fails); refusal: the condition because of which the base does
    not have the step, "" if it has the step.
    """
    edits = _edits(interpreter.definition, base.definition)
    if not edits.partners:
        return None
    inherited = {**edits.before, **edits.edited}  # those that `super()` calls too
    taken = [e for e in executions(interpreter, inherited, states[0], action) if e.step]
    mine = next((e for e in taken if e.step is not None and e.step.after == states[2]), None)
    others = [e for e in executions(base, edits.before, states[1], action) if mine and e.arguments == mine.arguments]
    if mine is None or not others:
        return None
    mine = Execution(mine.arguments, _entered(mine.done), mine.step)
    other = max(others, key=lambda e: (e.step is not None, _common(mine, e)))
    found = _parted(mine, other, edits, refusal if other.step is None else "")
    if mine.step is None or other.step is None:
        return found
    parts = differing((interpreter, states[0], mine.step), (base, states[1], other.step))
    if not parts or _explains(found, parts, edits):
        return found
    return _written(parts, mine, other, edits) or found


def _parted(mine: Execution, other: Execution, edits: _Edited, refusal: str) -> Parting:
    common = _common(mine, other)
    here, there = _behind(mine.done, common), _behind(other.done, common)
    decided = next(_deciding(here, there, edits), None)
    one, two = decided or (edits.most_informative(here, there), edits.most_informative(there, here))
    added, gone = edits.is_alone(one), edits.is_alone(two)
    if decided is None:
        one, two = one or _skipping(here, two), two or _skipping(there, one)
    words, place = (one.words, one.place) if one else edits.end(mine.done, here, two)
    earlier = added and not gone and two is not None and two.effect
    edited = f"{'first ' * earlier}{words}"
    if refusal:
        return Parting(edited, f"waits: {refusal}", place, None)
    words, former = (two.words, two.place) if two else edits.end(other.done, there, one)
    before, later = f"{'first ' * (gone and not added and one is not None)}{words}", False
    if decided is None and one is not None and one.effect:
        if two is not None and edits.is_kept(two, one, mine.done):
            before, former = _instead(two, one, [d for d in other.done if d.effect][common:])
            later = before != NOT
            edited = f"first {one.words}" if later else edited
        if (two is None or not two.effect or before == NOT) and (test := edits.test_around(one, here)) is not None:
            edited, place = f"{edited}{cited(place)}, as it {test.words}", test.place
    reads = one is not None and edits.partners.get(one.node) is one.node
    return Parting(edited, before, place, former, reads, (one, two), decided is not None, later)


def _first_line(method: Method) -> Place:
    """The line of the first statement of a method; of one without a statement its own."""
    file, node = method
    return file, next((s.lineno for s in node.body if not is_text(s)), node.lineno)


def _explains(found: Parting, parts: Sequence[Differing], edits: _Edited) -> bool:
    """Whether the first difference between two executions is one in what makes their states differ."""
    one, two = found.sides
    written = frozenset[str]().union(*(part.values for part in parts))
    mine, theirs = (side is not None and side.effect and side.value in written for side in (one, two))
    if one is None or two is None or not (one.effect and two.effect):
        if found.decided and one is not None and two is not None:
            return not ask_the_contrary(one.node, two.node)
        return mine or theirs
    if found.before == NOT:
        alone = (p for p in parts if not p.before and one.value in (d.value for d in p.edited))
        return any(not any(_beside(p, one, parts, edits)) for p in alone)
    if found.later or edits.partners.get(one.node) is two.node:
        return mine or theirs
    return mine and theirs


def _written(parts: Sequence[Differing], mine: Execution, other: Execution, edits: _Edited) -> Parting | None:
    """The first part of the state that differs, by the statement of each version that wrote it."""
    for part in sorted(parts, key=lambda p: not any(d.node in edits.partners for d in (*p.edited, *p.before))):
        one, two = (_shown(*sides, edits) for sides in ((part.edited, part.before), (part.before, part.edited)))
        one, two = one or _beside(part, two, parts, edits)[0], two or _beside(part, one, parts, edits)[1]
        if one is None and two is None or one is not None and two is not None and one.value == two.value:
            continue
        edited, place = _side(part, one, two, mine, edits)
        before, former = _side(part, two, one, other, edits)
        return Parting(edited, before, place, former, sides=(one, two))
    return None


def _beside(
    part: Differing, written: Done | None, parts: Sequence[Differing], edits: _Edited
) -> tuple[Done | None, Done | None]:
    """What each version does of the same form to another part of the same variable, where only one version writes this
    part: another message that is sent, another key."""
    if written is None:
        return None, None
    others = [p for p in parts if p.like == part.like and bool(p.edited) != bool(part.edited)]
    found = (_shown(p.edited or p.before, part.edited or part.before, edits) for p in others)
    beside = next((d for d in found if d is not None and type(d.node) is type(written.node)), None)
    return beside, beside


def _shown(own: Sequence[Done], others: Sequence[Done], edits: _Edited) -> Done | None:
    """Of the calls that led to a statement, and the statement, the first that was edited, else the first that the other
    version does with another value, else the statement."""
    edited = (d for d in own if d.node in edits.partners and d.effect)
    apart = (d for d, o in zip(own, others) if d.value != o.value and d.effect)
    return next(edited, None) or next(apart, None) or (own[-1] if own else None)


def _side(
    part: Differing, own: Done | None, other: Done | None, execution: Execution, edits: _Edited
) -> tuple[str, Place | None]:
    """What one version does to a part of the state, and the line; of one that leaves it as it was also the test because
    of which it does."""
    if own is not None:
        return own.words, own.place
    test = _skipping(execution.done, other) or _leaving(execution.done, other, edits)
    if test is not None:
        return f"{part.kept}, as it {test.words}", test.place
    return part.kept, edits.end(execution.done, (), other)[1]


def _instead(first: Done, wanted: Done, effects: Sequence[Done]) -> tuple[str, Place]:
    """What the other version does in place of a wanted effect, if both versions have its first effect: the wanted one
    later, or not at all.  effects: those of the other version from there on."""
    later = next((n for n, d in enumerate(effects) if d.value == wanted.value), 0)
    return (
        (f"does so only after it {effects[later - 1].words}", effects[later - 1].place) if later else (NOT, first.place)
    )


def _skipping(done: Sequence[Done], other: Done | None) -> Done | None:
    """The test that skipped a branch with the statement that the other version executes."""
    if other is None or not other.effect:
        return None
    wanted = head_of(other.node)
    for each in reversed(done):
        if isinstance(each.node, ast.If):
            skipped = each.node.orelse if each.value == "True" else each.node.body
            if any(head_of(inner) == wanted for outer in skipped for inner in (outer, *statements(outer))):
                return each
    return None


def _leaving(done: Sequence[Done], other: Done | None, edits: _Edited) -> Done | None:
    """The edited test in which this version leaves a loop or a method, if the edit adds that, before what the other
    version executes."""
    if other is None or not other.effect:
        return None
    alone = (d.node for d in reversed(done) if isinstance(d.node, LEAVING) and edits.partners.get(d.node, d) is None)
    left = next(alone, None)
    tests = (d for d in reversed(done) if isinstance(d.node, ast.If) and d.node in edits.partners)
    return next((d for d in tests if any(inner is left for inner in statements(d.node))), None)


# Two executions


def _effects(execution: Execution) -> list[str]:
    return [d.value for d in execution.done if d.effect]


def _entered(done: Sequence[Done]) -> list[Done]:
    """What was done, without the calls of inherited methods whose own statements follow."""
    behind = zip(done, [*done[1:], None])
    return [evolve(d, effect=False) if n is not None and _is_entered(d, n) else d for d, n in behind]


def _is_entered(done: Done, following: Done) -> bool:
    match done.node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Call(ast.Name("super"))))):
            return len(following.calls) > len(done.calls)
    return False


def _common(mine: Execution, other: Execution) -> int:
    """How many effects are the same from the beginning."""
    pairs = zip(_effects(mine), _effects(other))
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _behind(done: Sequence[Done], common: int) -> list[Done]:
    """The statements executed after the common effects, up to the next effect."""
    places = [n for n, d in enumerate(done) if d.effect]
    start = places[common - 1] + 1 if common else 0
    end = places[common] + 1 if common < len(places) else len(done)
    return list(done[start:end])


def _deciding(here: Sequence[Done], there: Sequence[Done], edits: _Edited) -> Iterator[tuple[Done, Done]]:
    """Edited decisions whose values differ from their counterparts."""
    for one in here:
        partner = edits.partners.get(one.node)
        for two in there:
            if partner is two.node and one.value != two.value:
                yield one, two


# Two versions of a method


def _edits(now: Definition, was: Definition) -> _Edited:
    """The edited methods, and those whose statements read a constant that the edit changes."""
    edited = _edited(now.model, was.model)
    names = names_changed(was, now)
    if not names:
        return edited
    shared, nodes = methods_of(was)[0].keys() & methods_of(now)[0].keys(), nodes_of(now)
    functions = {code: function for code, function in methods_of(now)[0].items() if code in shared}
    bodies = filter(None, map(function_node, functions.values()))
    reading = [s for body in bodies for s in statements(body) if _reads(s, names, nodes)]
    return evolve(
        edited,
        edited={**functions, **edited.edited},
        before={**functions, **edited.before},
        partners={**{s: s for s in reading}, **edited.partners},
    )


def _reads(node: ast.stmt, names: Collection[str], methods: Mapping[str, ast.FunctionDef]) -> bool:
    """Whether a statement without those inside it reads one of these attributes of the model, or calls a rule that
    does."""
    match node:
        case ast.If(head) | ast.While(head) | ast.For(iter=head):
            parts: list[ast.stmt] = [ast.Expr(head)]
        case _:
            parts = [] if hasattr(node, "body") else [node]
    return reaches(parts, lambda n: isinstance(n, ast.Attribute) and n.attr in names, methods)


def _edited(edit: type[Model], base: type[Model]) -> _Edited:
    edited: dict[Any, Callable[..., Any]] = {}
    before: dict[Any, Callable[..., Any]] = {}
    partners: dict[ast.stmt, ast.stmt | None] = {}
    others: dict[ast.stmt, Method] = {}
    for name in dir(base):
        was, now = (inspect.getattr_static(cls, name, None) for cls in (base, edit))
        if not inspect.isfunction(was) or not inspect.isfunction(now) or was is now:
            continue
        nodes = function_node(was), function_node(now)
        if nodes[0] is None or nodes[1] is None:
            continue
        edited[now.__code__], before[was.__code__] = now, was
        partners |= counterparts(nodes[1], nodes[0])
        here, there = (was.__code__.co_filename, nodes[0]), (now.__code__.co_filename, nodes[1])
        others |= dict.fromkeys(statements(nodes[0]), there) | dict.fromkeys(statements(nodes[1]), here)
    return _Edited(edited, before, partners, others)

"""Which statement decides the finding in a step, and which condition led to its execution.

Of a violation the statement is the one before which the property is true, and behind which it is false until the step
ends; else it is the last that writes what the property reads, or sends.  The step is executed again while its
statements are watched (`checker.replay.executed`).  A statement of the language's own library, or of a module that
models share as a library (its name begins with "_"), is replaced by the statement of the model that called it.

The condition is one that led to the statement, or a rule that gave it its value (`checker.replay.leading`).  Conditions
that read the state come first, of those one that connects the statement with another value of the witness, then one
that speaks of what the statement is called with, then the rule whose value is written, then one that asks a rule, then
the one that speaks of most values of the witness, at last the last.  A rule whose value is a collection is a condition
if a condition decides this value, and the statement goes through it.  Where another rule was preferred, and had no
value, it is named too (`checker.replay.fallback`).  If there is no condition, the filter of a comprehension counts that
selected what the statement takes.

Where it stops: a step of a fault has no statement.  That the condition is wrong is not said: an older step may have
made the value that it tests.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from types import CodeType
from typing import Any

from attrs import evolve, field

from checker.backends.interpreter.interpreter import Interpreter, Raw, Step
from checker.frozen import frozen
from checker.language.definition import Definition, PropertyDefinition
from checker.language.places import PACKAGE, function_node
from checker.replay.chosen import with_chosen
from checker.replay.cited import Place, cited
from checker.replay.executed import TRUTHS, Done, executions
from checker.replay.fallback import preferred
from checker.replay.fixed import Fixed
from checker.replay.leading import Leading, names_read
from checker.replay.reading import reads
from checker.replay.returned import is_one_return
from checker.trace.values import mentions
from checker.wording import WITH, and_more

LIBRARY = str(PACKAGE / "language")
Wanted = Callable[[Done], bool]
LONGEST = 280
COLLECTIONS = ("{", "[")
RULE = re.compile(r"\w+\([^:]*?\) is [^:]+?(?=: | \(\w+(?:/\w+)?\.py:\d|$)")
CALL = re.compile(r"\w+\(.*?\) is (?:always )?(?:true|false)(?=: | \(\w+(?:/\w+)?\.py:\d|$)")


@frozen
class Decided:
    """The deciding statement, its line, and the statements executed before it in the same step."""

    statement: Done
    before: tuple[Done, ...] = ()
    written: Wanted = field(default=lambda done: False)  # whether a statement writes what the property reads

    @property
    def place(self) -> Place:
        """The line of the statement."""
        return self.statement.place

    @property
    def text(self) -> str:
        """The statement in words, with its line."""
        return f"{self.statement.words}{cited(self.place)}"

    def condition(
        self,
        sentence: str,
        values: Collection[str],
        processes: Collection[str],
        definition: Definition,
        first: Collection[ast.stmt] = (),
    ) -> tuple[str, Done | None]:
        """The condition that let the statement be executed, with its line, and where it was asked; "" if none speaks of
        what it is about, and no rule gives it its value.  It is about the values of the witness that it has, and of
        these about one that is no process if there is one; if it has none of them, about what it is called with.  A
        condition that connects it with another value of the witness comes first, then one that speaks of what the
        statement is called with.  sentence: what the witness says; first: rules that come before the others if they
        are true."""
        about = [v for v in values if mentions(self.statement.words, v)]
        least = [v for v in about if v not in processes] or about or self.subject(processes)
        types = {type_of(v) for v in [*about, *processes]}
        others = [v for v in values if type_of(v) not in types]
        ranked = []
        fixed = Fixed(definition, (*self.before, self.statement))
        leading = Leading(self.statement, self.before, sentence, self.written).conditions()
        conditions = [(number, done) for number, done in leading if not fixed.is_fixed(number)]
        given = any(_gives(done, self.statement) for _, done in conditions)
        for number, done in conditions:
            told = self._tested(done)
            gives = self._given_by(done)
            if told and (_mentioned(told, least) or self._shares(done) or gives):
                head = (CALL.match(told) or [told])[0]
                asks = CALL.search(told) is not None
                named = _mentioned(told, self.subject(processes)) > 0 or not given and self._shares(done)
                asks = asks or self._offers(done)
                wanted = done.node in first and done.value == "True"
                kinds = wanted, reads(done.node, definition), _mentioned(told, others), named, gives, asks
                ranked.append((*kinds, _mentioned(head, about), _mentioned(told, about), number, told))
        if not ranked:
            return self._selected()
        *_, number, told = max(ranked)
        done = self.before[number]
        place = _rule_place(done, definition)
        told = _placed(cut(told), place, isinstance(done.node, ast.FunctionDef))
        instead = preferred(self.before, done)
        return told + (f"; asked before: {_placed(cut(instead.words), instead.place, True)}" if instead else ""), done

    def _selected(self) -> tuple[str, Done | None]:
        """Why a comprehension in the same method selected what the statement is called with, with its line."""
        subject = self.subject()
        for done in reversed(self.before):
            reason = next((reason for member, reason in done.members if member in subject), "")
            if reason and done.calls == self.statement.calls:
                return f"{cut(reason)}{cited(done.place)}", done
        return "", None

    def leaves_out(self, values: Collection[str]) -> str:
        """Why a comprehension in the same method did not select one of these values, with its line; "" if none did."""
        for done in reversed(self.before):
            reason = next((reason for element, reason in done.left_out if element in values), "")
            if reason and done.calls == self.statement.calls:
                return f"{cut(reason)}{cited(done.place)}"
        return ""

    def _tested(self, done: Done) -> str:
        """What a condition says; "" if it is one of the language, or neither true nor false nor what is written."""
        if is_of_library(done.place) or done.above[:1] in COLLECTIONS and not self._takes_from(done.above):
            return ""
        match done.node:
            case ast.FunctionDef():
                told = done.value in TRUTHS or self._given_by(done) or self._offers(done)
                return done.words if told else ""
            case ast.If() | ast.While():
                return done.words.partition(" ")[2]
        return "" if done.effect else done.words.partition(": ")[2]

    def subject(self, processes: Collection[str] = ()) -> set[str]:
        """What a statement is called with, besides processes: m1.1 in deliver(p1, m1.1)."""
        return set(re.findall(r"[\w.]+", self.statement.words.partition("(")[2])) - set(processes)

    def _shares(self, done: Done) -> bool:
        """Whether a test of several elements, in the method of the statement, reads all local variables that the
        statement reads: a condition on other elements need not name what the statement is called with."""
        match done.node:
            case ast.Expr(ast.Call(args=[test])) | ast.If(test) | ast.While(test):
                read = names_read(self.statement.node)
                several = any(isinstance(n, ast.GeneratorExp) for n in ast.walk(test))
                return several and done.calls == self.statement.calls and len(read) > 1 and read <= names_read(test)
        return False

    def _takes_from(self, collection: str) -> bool:
        return any(mentions(collection, value) for value in self.subject())

    def _offers(self, done: Done) -> bool:
        """Whether the value of a rule is a collection from which the statement takes, by a choice, or such that a
        condition decides it."""
        reason = done.words.partition(f"{done.shown}: ")[2]
        return (
            isinstance(done.node, ast.FunctionDef)
            and done.shown[:1] in COLLECTIONS
            and self._takes_from(done.shown)
            and re.search(r" (is|are) ", reason.partition(WITH)[0]) is not None
        )

    def _given_by(self, done: Done) -> bool:
        """Whether the statement writes the value of a rule, or one that it chooses from the value of a rule."""
        if _gives(done, self.statement):
            return True
        asks = done.within is self.statement.node and isinstance(done.node, ast.FunctionDef)
        takes = asks and done.shown[:1] in COLLECTIONS and with_chosen(self.statement.node) is not None
        return takes and any(mentions(done.shown, word) for word in re.findall(r"[\w.]+", self.statement.words))


def _placed(told: str, place: Place, rule: bool) -> str:
    """A condition with its line: of a rule behind its value, of a test at the end, unless the rule that it asks has
    this line already."""
    head = RULE.match(told)
    if rule and head is not None:
        return f"{head[0]}{cited(place)}{told[head.end() :]}"
    return told if head is not None and told.startswith(f"{head[0]}{cited(place)}") else f"{told}{cited(place)}"


def _rule_place(done: Done, definition: Definition) -> Place:
    """The line of a condition; of one that is the call of a rule with a single `return` the line of that."""
    match done.node:
        case ast.Expr(ast.Call(args=[test])) | ast.If(test) | ast.While(test):
            pass
        case _:
            return done.place
    test = test.operand if isinstance(test, ast.UnaryOp) else test
    called = test.func.attr if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) else ""
    method = definition.methods.get(called)
    node = function_node(method.function) if method is not None and method.rule else None
    if method is None or node is None or not is_one_return(method.function):
        return done.place
    place = method.function.__code__.co_filename, node.body[-1].lineno
    return done.place if is_of_library(place) else place


def _gives(asked: Done, statement: Done) -> bool:
    """Whether the value of a rule is what a statement assigns, adds, or has as its last argument."""
    value = re.escape(asked.shown)
    return re.search(rf" to {value}$|(\(|, ){value}\)$", statement.words) is not None


def type_of(value: str) -> str:
    """The letters that values of one type begin with."""
    return value.rstrip("0123456789.")


def _mentioned(text: str, values: Collection[str]) -> int:
    return sum(mentions(text, value) for value in values)


def cut(text: str, longest: int = LONGEST) -> str:
    """A condition, or a value with its reason, without its last parts, if it is too long for the head of a report."""
    if len(text) <= longest:
        return text
    told, behind, values = text.partition(WITH)
    parts = re.split(r"(; | and )", told)
    while len(parts) > 2 and len("".join(parts)) + len(values) > longest:
        parts = parts[:-2]
    left_out = re.split(r"; | and ", told[len("".join(parts)) :])[1:]
    return f"{''.join(parts)}{and_more(left_out)}{behind}{values}"


def writes(names: Collection[str], quiet: Collection[str] = ()) -> Wanted:
    """Whether a statement assigns one of these variables, changes its collection, or emits an event that diagrams do
    not leave out (quiet)."""
    return lambda done: written_by(done.node, names, quiet)


def written_by(node: ast.AST, names: Collection[str], quiet: Collection[str] = ()) -> bool:
    """As `writes`, of a statement that need not have been executed."""
    match node:
        case ast.Assign(targets=targets):
            return any(_variable(target) in names for target in targets)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return _variable(target) in names
        case ast.Expr(ast.Call(ast.Attribute(value, called))):
            return _variable(value) in names or (_variable(value) == "emit" and called not in quiet)
    return False


def sends(done: Done) -> bool:
    """Whether a statement sends a message."""
    return done.words.startswith(("sends ", "multicasts "))


def message_sent(done: Done) -> str:
    """The message of a statement that sends one."""
    found = re.match(r"(?:sends|multicasts) (.*?)(?: as [\w.]+)?(?: to [\w.]+| to [\[{].*)?$", done.words)
    return found[1] if found else ""


def decided(
    interpreter: Interpreter, before: Raw, after: Raw | None, step: Step, wanted: Sequence[Wanted], sentence: str = ""
) -> Decided | None:
    """The last statement that is wanted, in the step between two states, of those of which the witness (sentence) names
    most; the kinds of statements are tried in order.  None for a step that no method takes."""
    done = done_in(interpreter, before, after, step)
    return next((found for w in wanted if (found := _last(done, w, sentence)) is not None), None)


def breaking(
    interpreter: Interpreter,
    property: PropertyDefinition,
    states: tuple[Raw, Raw],
    step: Step,
    written: Wanted,
    sentence: str,
) -> Decided | None:
    """The statement before which the property is true, and behind which it is false until the step ends; if the same
    method writes afterwards what the property reads (written), and the witness (sentence) names more of that, this
    statement.  None if it is none with a line, as where a message is received."""
    before, after = states
    done = done_in(interpreter, before, after, step, keep=True)
    judge, truths = Interpreter(interpreter.definition), dict[Raw, bool]()
    earlier = before if property.kind == "step" else None

    def is_true(state: Raw) -> bool:
        if state not in truths:
            truths[state] = judge.violated(property, state, earlier) is False
        return truths[state]

    placed = [(n, d.before) for n, d in enumerate(done) if d.before is not None]
    number = next((n for n, state in reversed(placed) if is_true(state)), None)
    if number is None or is_true(after):
        return None

    later = (n for n, d in enumerate(done) if n > number and d.calls == done[number].calls and d.effect and written(d))
    found = _own(done, max([number, *later], key=lambda n: _named(done[n], sentence)))
    return found and evolve(found, written=written)


def done_in(interpreter: Interpreter, before: Raw, after: Raw | None, step: Step, keep: bool = False) -> Sequence[Done]:
    """What the methods of the model did in the step between two states; nothing for a step that no method takes.
    keep: each statement has the state before it."""
    if step.action.function is None:
        return ()
    watched, rules = methods_of(interpreter.definition)
    watched[step.action.function.__code__] = step.action.function
    earlier = Interpreter(interpreter.definition).viewpoint(before)

    def is_it(taken: Step | None) -> bool:
        return taken is not None and taken.after == after and taken.arguments == step.arguments

    done = executions(interpreter, watched, before, step.action.name, rules, keep, earlier, is_it)
    return next((execution.done for execution in done if is_it(execution.step)), ())


def methods_of(definition: Definition) -> tuple[dict[CodeType, Callable[..., Any]], dict[CodeType, Callable[..., Any]]]:
    """The methods of a model that are no rules, those that `super()` calls too, and its rules, by their code."""
    rules = {m.function.__code__: m.function for m in definition.methods.values() if m.rule}
    named = {name for name, m in definition.methods.items() if not m.rule} | {a.name for a in definition.actions}
    found: dict[CodeType, Callable[..., Any]] = {}
    for name in named:
        inherited: Iterator[Any] = (vars(cls).get(name) for cls in definition.model.__mro__)
        found |= {f.__code__: f for f in inherited if hasattr(f, "__code__")}
    return found, rules


def chosen(done: Sequence[Done], wanted: Sequence[Done]) -> Decided | None:
    """The first of several statements that is an effect."""
    number = next((n for n, d in enumerate(done) if d.effect and any(d is w for w in wanted)), None)
    return None if number is None else _own(done, number)


def _last(done: Sequence[Done], wanted: Wanted, sentence: str) -> Decided | None:
    """The last effect that is wanted, of those of which the witness names most."""
    found = [n for n in range(len(done) - 1, -1, -1) if done[n].effect and wanted(done[n])]
    return _own(done, max(found, key=lambda n: _named(done[n], sentence))) if found else None


def _named(done: Done, sentence: str) -> int:
    """How much of what a statement does the witness names."""
    return sum(mentions(sentence, word) for word in set(re.findall(r"[\w.]+", done.words)))


def _own(done: Sequence[Done], number: int) -> Decided | None:
    """A statement, or if a library has it the call of the model that led to it."""
    sites = [done[number]]
    for call in reversed(done[number].calls[:-1]):
        sites += [next(d for d in reversed(done[:number]) if d.within is None and d.calls[-1:] == (call,))]
    own = [d for d in sites if not is_of_library(d.place) and d.effect]
    found = next((d for d in own if not is_shared(d.place)), own[0] if own else None)
    if found is None:
        return None
    place = next(n for n, d in enumerate(done) if d is found)
    asked = takewhile(lambda d: d.within is found.node, done[place + 1 :])  # while it is executed
    return Decided(found, (*done[:place], *asked))


def is_of_library(place: Place) -> bool:
    """Whether a line is one of the language's own modules."""
    return place[0].startswith(LIBRARY)


def is_shared(place: Place) -> bool:
    """Whether a line is of a module that models share as a library."""
    return Path(place[0]).name.startswith("_")


def _variable(node: ast.expr) -> str | None:
    """The attribute of the model that a target or receiver belongs to."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr
        node = node.value
    return None

"""Why a condition is false, in the model's own names and values: "barrier[g1] = 3 is not > 3".

The text of the condition is taken apart, and each part is evaluated again in its scope: conjunctions give the parts
that are false, comparisons both their values, `all` its first counterexample, for `any` that no element satisfies it, a
call of a rule the result of the rule.  Of several parts that decide together those come first that ask what the edit
changes (`checker.replay.edited_names`), then those that decide since the step.  Names of local variables are replaced
by their values and `self.` is left out.  Conditions are pure, so evaluating them again has no effect; a part that
cannot be evaluated alone is shown as written.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from checker.language.model import Model
from checker.language.places import PACKAGE, written
from checker.replay.cited import cited
from checker.replay.edited_names import changed_in
from checker.replay.itself import is_of_itself
from checker.replay.operands import behind, computed, listed
from checker.replay.plain import call_text, value_text
from checker.replay.rule_bodies import file_line, rule_body
from checker.replay.scope import Scope, quietly
from checker.wording import WITH

SHOWN, DEEPEST, LONGEST_CALL = 4, 6, 60
SIGNS: dict[type, str] = {ast.Lt: " <", ast.LtE: " <=", ast.Gt: " >", ast.GtE: " >=", ast.In: " in", ast.NotIn: " in"}
"""The text after "is" or "is not"; empty for equality."""
LIBRARY = str(PACKAGE / "language")


def reason(viewpoint: Any, method: str) -> str:
    """Why a property's method is false, with the values: "for p = p2: value[p2] = 0 is not >= done = 1"."""
    call = ast.Call(ast.Attribute(ast.Name("self", ast.Load()), method, ast.Load()), [], [])
    text = why(call, Scope({"self": viewpoint}, "self", source=False))
    return text.partition(" is false: ")[2] or text


def conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of a conjunction; a single condition is its own."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for part in node.values:
            yield from conjuncts(part)
    else:
        yield node


def first_false(node: ast.expr, scope: Scope) -> ast.expr:
    """The deciding conjunct: the first that is false."""
    return next((part for part in conjuncts(node) if truth_of(part, scope) is False), node)


def false_part(node: ast.expr, scope: Scope, wanted: bool = True) -> ast.expr:
    """The innermost part, in the text of a condition, because of which it does not have the wanted truth: the false
    conjunct, and of an `all` or `any` what it states of an element."""
    quantified = quantifier_of(node)
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            return false_part(operand, scope, not wanted)
        case ast.BoolOp(op) if isinstance(op, ast.And) == wanted:
            part = next((part for part in node.values if truth_of(part, scope) is not wanted), node)
            return node if part is node else false_part(part, scope, wanted)
    if quantified is None:
        return node
    generator, universal = quantified
    if universal != wanted:
        return generator.elt
    inner = (scope.with_names(names) for names in bindings(generator, scope))
    decides = next((i for i in inner if truth_of(generator.elt, i) is not wanted), None)
    return node if decides is None else false_part(generator.elt, decides, wanted)


def why(node: ast.expr, scope: Scope, wanted: bool = True, depth: int = 0) -> str:
    """Why a condition does not have the wanted truth, in one sentence without a full stop."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return why(node.operand, scope, not wanted, depth)
    if isinstance(node, ast.BoolOp):
        return _connective(node, scope, wanted, depth)
    if isinstance(node, ast.Compare):
        return _comparison(node, scope, wanted)
    quantified = quantifier_of(node)
    if quantified is not None and depth < DEEPEST:
        return _quantifier(*quantified, scope, wanted, depth)
    if isinstance(node, ast.IfExp):
        test = truth_of(node.test, scope)
        branch = why(node.body if test else node.orelse, scope, wanted, depth)
        if test is None:
            return branch
        told = f"{scope.text(node.test)} is {_word(test)}"
        return (
            f"{told if isinstance(node.test, ast.Attribute) else why(node.test, scope, not test, depth)} and {branch}"
        )
    if isinstance(node, ast.Call) and depth < DEEPEST:
        inner = rule_body(node, scope)
        if inner is not None:
            return _rule(node, scope, *inner, wanted, depth)
    value = _evaluated(node, scope)
    shown = f"{_call(node, scope)} is {_word(not wanted)}"
    if not isinstance(value, bool):
        return f"{shown}: {value_text(value)}"
    record = _record(node, scope) if wanted else ""
    return f"{shown}: {record}" if record else shown


def _rule(node: ast.Call, scope: Scope, body: ast.expr, where: Scope, wanted: bool, depth: int) -> str:
    """Why a called rule does not have the wanted truth, with the line of the part that decides."""
    call = _call(node, scope)
    at = None
    function = quietly(scope, node.func).__func__
    file = inspect.getsourcefile(function)
    if scope.source and file and not file.startswith(LIBRARY):
        part = false_part(body, where) if wanted else body
        at = file, file_line(function, part.lineno)
    if isinstance(body, ast.Constant):
        return f"{call} is always {_word(not wanted)}{cited(at)}"
    return f"{call} is {_word(not wanted)}{cited(at)}: {why(body, where, wanted, depth + 1)}"


def _call(node: ast.expr, scope: Scope) -> str:
    """An expression; the call of a rule with the values of its arguments, as far as they are short."""
    text = scope.text(node)
    if (
        not scope.source
        or not isinstance(node, ast.Call)
        or node.keywords
        or not inspect.ismethod(method := quietly(scope, node.func))
    ):
        return text
    if getattr(method.__self__, "__class__", None) is not _owner(scope):
        return text
    try:
        values = call_text(method.__name__, [scope.value(a) for a in node.args])
    except Exception:  # a part that cannot be evaluated alone
        return text
    return values if len(values) <= max(LONGEST_CALL, len(text)) else text


def _owner(scope: Scope) -> type | None:
    """The class of the model."""
    return type(scope.names[scope.model_name]) if scope.model_name in scope.names else None


def _record(node: ast.expr, scope: Scope) -> str:
    """The record in a local variable whose field a condition is."""
    match node:
        case ast.Attribute(ast.Name(name)) if scope.source and name != scope.model_name and name in scope.names:
            return f"{name} is {value_text(scope.names[name])}"
    return ""


def _connective(node: ast.BoolOp, scope: Scope, wanted: bool, depth: int) -> str:
    """An operand after the deciding one is not evaluated, as in Python: it may have no value there."""
    is_and = isinstance(node.op, ast.And)
    wrong = []
    for part in node.values:
        truth = truth_of(part, scope)
        if truth is not wanted:
            wrong.append(part)
        if truth is None or truth is not is_and:  # this operand decides, or its evaluation ends in an error
            break
    several = [p for p in wrong if not _is_presence(p, not wanted)] or wrong
    parts = wrong[:1] if is_and == wanted else _guilty_first(several, scope, wanted)
    return " and ".join(why(part, scope, wanted, depth) for part in parts or [node.values[0]])


def _guilty_first(parts: Sequence[ast.expr], scope: Scope, wanted: bool) -> list[ast.expr]:
    """Parts that decide together: those that ask what the edit changes come first, then those of the step."""
    owner = _owner(scope) if scope.source else None
    model = owner if owner is not None and issubclass(owner, Model) else None

    def rank(part: ast.expr) -> tuple[int, bool]:
        asked = ast.Constant(None) if _is_of_nothing(part, scope) else part  # no element asks anything
        return 0 if model is None else changed_in(asked, model), not _is_new(part, scope, wanted)

    return sorted(parts, key=rank)


def _is_of_nothing(part: ast.expr, scope: Scope) -> bool:
    """Whether a part is an `all` or `any` of no element, or of an element that is compared with itself alone."""
    quantified = quantifier_of(part)
    if quantified is None:
        return False
    try:
        found = list(bindings(quantified[0], scope))
    except Exception:  # a part that cannot be evaluated alone
        return False
    return all(is_of_itself(quantified[0].elt, scope.with_names(n), n) for n in found)


def _is_new(part: ast.expr, scope: Scope, wanted: bool) -> bool:
    """Whether it was the step that gave a part the other truth than the wanted one."""
    before = scope.before_step()
    return before is not None and truth_of(part, before) is wanted


def _is_presence(node: ast.expr, truth: bool) -> bool:
    """Whether this truth of a condition states that something is not None, which other statements about it imply."""
    match node:
        case ast.Compare(ops=[op], comparators=[ast.Constant(None)]):
            return isinstance(op, ast.IsNot | ast.NotEq if truth else ast.Is | ast.Eq)
    return False


def _comparison(node: ast.Compare, scope: Scope, wanted: bool) -> str:
    """The link of a chain (a < b < c) that decides, with the values of both sides."""
    links = list(zip([node.left, *node.comparators], node.ops, node.comparators))
    if wanted:  # the comparisons after the first false one are not evaluated
        false = (link for link in links if truth_of(ast.Compare(link[0], [link[1]], [link[2]]), scope) is False)
        links = [next(false, links[0])]
    return " and ".join(_link(a, _relation(o, not wanted), b, scope) for a, o, b in links)


def _relation(operator: ast.cmpop, holds: bool) -> str:
    """The words of a comparison that holds, or does not hold."""
    opposite = isinstance(operator, ast.NotEq | ast.NotIn | ast.IsNot)
    return ("is not" if holds == opposite else "is") + SIGNS.get(type(operator), "")


def _link(left: ast.expr, word: str, right: ast.expr, scope: Scope) -> str:
    """One comparison; if both sides have the same text, their value is stated once."""
    if word != "is":
        return f"{_side(left, scope)} {word} {_side(right, scope)}{_with(scope, left, right)}"
    if scope.text(left) == scope.text(right):
        return f"{written(left)} and {written(right)} are both {_side(right, scope)}"
    return f"{_call(left, scope)} is {_side(right, scope)}{_with(scope, left, right)}"


def _side(node: ast.expr, scope: Scope) -> str:
    text, value = _call(node, scope), value_text(_evaluated(node, scope))
    if text.lower() == value.lower() or isinstance(node, ast.Constant):
        return value
    sum = computed(node, scope) if scope.source else ""
    return " = ".join(filter(None, (text, sum, value)))


def _with(scope: Scope, *sides: ast.expr) -> str:
    """The values behind the computations of a comparison."""
    found = {t: v for side in sides for t, v in behind(side, scope).items()} if scope.source else {}
    return f"{WITH}{listed(found)}" if found else ""


def _joined(texts: Sequence[str], more: str = "") -> str:
    """Reasons about several elements; values that lie behind all of them are listed once, at the end."""
    ends = {text.rpartition(WITH)[2] for text in texts}
    if len(texts) > 1 and len(ends) == 1 and all(WITH in text for text in texts):
        return f"{'; '.join(text.rpartition(WITH)[0] for text in texts)}{more}{WITH}{ends.pop()}"
    return "; ".join(texts) + more


def _quantifier(generator: ast.GeneratorExp, universal: bool, scope: Scope, wanted: bool, depth: int) -> str:
    """For `all` its first counterexample, for `any` why no candidate satisfies it; for the opposite truth the two are
    exchanged.
    """
    whole = scope.text(generator)
    if universal == wanted:
        for names in bindings(generator, scope):  # the first that decides ends it: a domain may have no end
            inner = scope.with_names(names)
            if truth_of(generator.elt, inner) is not wanted:
                return f"for {bound_text(names)}: {why(generator.elt, inner, wanted, depth + 1)}"
        return f"{'all' if universal else 'any'}({whole}) is {_word(not wanted)}"
    found = list(bindings(generator, scope))
    domain = scope.text(generator.generators[0].iter)
    alone = _alone(generator, found, scope, wanted, depth) if scope.element else ""
    if alone:
        return alone
    if not found:
        among = " and ".join(scope.text(c) for g in generator.generators for c in g.ifs)
        return f"there is nothing in {domain}{f' with {among}' if among else ''}"
    others = [n for n in found if not is_of_itself(generator.elt, scope.with_names(n), n)]
    if not others:
        return f"there is nothing in {domain} but {' and '.join(map(_only, found))}"
    others.sort(key=lambda n: not _is_new(generator.elt, scope.with_names(n), wanted))
    texts = [
        f"for {bound_text(n)}: {why(generator.elt, scope.with_names(n), wanted, depth + 1)}" for n in others[:SHOWN]
    ]
    more = f"; and so for {len(others) - SHOWN} more" if len(others) > SHOWN else ""
    return _joined(texts, more)


def _alone(generator: ast.GeneratorExp, found: Sequence[dict[str, Any]], scope: Scope, wanted: bool, depth: int) -> str:
    """The reason for the only element that differs between two versions: its condition, or the filter that excludes it;
    "" if it is no element of this domain.
    """
    for names in found:
        if tuple(names.values()) == scope.element:
            return f"for {bound_text(names)}: {why(generator.elt, scope.with_names(names), wanted, depth + 1)}"
    conditions = [c for g in generator.generators for c in g.ifs]
    unfiltered = [ast.comprehension(g.target, g.iter, [], g.is_async) for g in generator.generators]
    try:
        every = list(bindings(ast.GeneratorExp(generator.elt, unfiltered), scope))
    except Exception:  # a filter guards the domain of a later variable: without it there is no value
        return ""
    for names in (n for n in every if tuple(n.values()) == scope.element):
        inner = scope.with_names(names)
        left_out = next((c for c in conditions if truth_of(c, inner) is False), None)
        if left_out is not None:
            return f"{bound_text(names)} is left out: {why(left_out, inner, True, depth + 1)}"
    return ""


def bindings(generator: ast.GeneratorExp, scope: Scope) -> Iterator[dict[str, Any]]:
    """The values of the quantified variables, in order."""
    names = [n.id for g in generator.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)]
    keys: list[ast.expr | None] = [ast.Constant(n) for n in names]
    bound = ast.Dict(keys, [ast.Name(n, ast.Load()) for n in names])
    yield from scope.value(ast.GeneratorExp(bound, generator.generators))


def quantifier_of(node: ast.expr) -> tuple[ast.GeneratorExp, bool] | None:
    match node:
        case ast.Call(ast.Name("all" | "any" as name), [ast.GeneratorExp() as generator]):
            return generator, name == "all"
    return None


# Texts


def bound_text(names: dict[str, Any]) -> str:
    """Variables with their values: p = p1, m = m1.1."""
    return ", ".join(f"{name} = {value_text(value)}" for name, value in names.items())


def truth_of(node: ast.expr, scope: Scope) -> bool | None:
    """Whether a part is true; None if it cannot be evaluated alone."""
    try:
        return bool(scope.value(node))
    except Exception:
        return None


def _evaluated(node: ast.expr, scope: Scope) -> Any:
    try:
        return scope.value(node)
    except Exception as error:
        return f"({type(error).__name__}: {error})"


def _only(names: dict[str, Any]) -> str:
    """The values of the variables of an element."""
    return ", ".join(map(value_text, names.values()))


def _word(truth: bool) -> str:
    return "true" if truth else "false"

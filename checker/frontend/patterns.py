"""`match` on unions, enumerations, records, numbers and None, as a chain of tests."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from checker.frontend import comparisons, comprehensions, expressions, lowering, statements
from checker.frontend import meaning as m
from checker.frontend.bindings import Binding, Known, Stored
from checker.frontend.captures import stable
from checker.frontend.coerce import temporary
from checker.frontend.scope import Frame, settled
from checker.frontend.source import line_of
from checker.ir import build
from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.wording import counted


@lowering.statement(ast.Match)
def match(f: Frame, node: ast.Match) -> bool:
    """A match statement; whether control reaches its end."""
    subject = expressions.value(f, node.subject)
    settled(subject.type)
    if not stable(f.body, subject):
        subject = temporary(f, node, subject, "subject")
    return _cases(f, node, subject, node.cases)


def _cases(f: Frame, node: ast.Match, subject: e.Expression, cases: list[ast.match_case]) -> bool:
    if not cases:
        return True
    case, rest = cases[0], cases[1:]
    outer = f.names
    f.names = dict(outer)
    condition = _test(f, case.pattern, subject)
    if case.guard is not None:
        for name in (n for n in captured(case.pattern) if n in outer):
            remedy = "Use another name in the pattern."
            f.refuse(case.pattern, f"{name} is bound anew here, and keeps that value where the guard fails", remedy)
        with f.body.lazy():
            condition = build.conjunction([condition, expressions.test(f, case.guard)])
    if condition == build.TRUE:
        return statements.block(f, case.body)
    if condition == build.FALSE:
        f.names = outer
        return _cases(f, node, subject, rest)
    with f.body.collect() as then:
        reaches = statements.block(f, case.body)
    matched, f.names = f.names, dict(outer)
    with f.body.collect() as other:
        falls = _cases(f, node, subject, rest) if rest else not _exhaustive(subject.type, node)
    f.names = statements.after_branches([(matched, reaches), (f.names, falls)])
    f.emit(s.If(case.pattern.lineno, condition, tuple(then), tuple(other)))
    return reaches or falls


def _exhaustive(type: t.Type, node: ast.Match) -> bool:
    """Whether unguarded cases name every variant, member or truth value, and None where it is possible, so that one of
    them always matches.
    """
    plain = [p for c in node.cases if c.guard is None for p in _alternatives(c.pattern)]
    classes = (p.cls for p in plain if isinstance(p, ast.MatchClass) and _catches_all(p))
    named = {c.attr for c in classes if isinstance(c, ast.Attribute)}
    named |= {p.value.attr for p in plain if isinstance(p, ast.MatchValue) and isinstance(p.value, ast.Attribute)}
    single = {p.value for p in plain if isinstance(p, ast.MatchSingleton)}
    if isinstance(type, t.Optional) and None in single:
        type = type.item
    match type:
        case t.Union(_, variants):
            return named >= {v.name for v in variants}
        case t.Enum(_, members):
            return named >= set(members)
        case t.Bool():
            return single >= {True, False}
        case _:
            return False


def _alternatives(pattern: ast.pattern) -> list[ast.pattern]:
    if isinstance(pattern, ast.MatchOr):
        return [p for option in pattern.patterns for p in _alternatives(option)]
    return [pattern]


def _catches_all(pattern: ast.MatchClass) -> bool:
    return all(isinstance(p, ast.MatchAs) and p.pattern is None for p in [*pattern.patterns, *pattern.kwd_patterns])


def _test(f: Frame, pattern: ast.pattern, subject: e.Expression) -> e.Expression:
    """Whether the subject matches; binds the names of the pattern."""
    match pattern:
        case ast.MatchAs(pattern=None, name=None):
            return build.TRUE
        case ast.MatchAs(pattern=inner, name=str() as name):
            comprehensions.bind(f, ast.copy_location(ast.Name(name, ast.Store()), pattern), subject)
            return _test(f, inner, subject) if inner is not None else build.TRUE
        case ast.MatchValue(value):
            return comparisons.equal_or_ordered(f, pattern, "==", subject, expressions.value(f, value))
        case ast.MatchSingleton(bool() as value) if not isinstance(subject.type, t.Bool):
            remedy = "Write a number, or match a Bool."
            f.refuse(pattern, f"case {value} matches {value} itself only, and this is {subject.type}", remedy)
        case ast.MatchSingleton(value):
            return comparisons.equal_or_ordered(
                f, pattern, "==", subject, expressions.value(f, ast.copy_location(ast.Constant(value), pattern))
            )
        case ast.MatchOr(options):
            return _any_of(f, options, subject)
        case ast.MatchSequence(parts):
            return _fields(f, pattern, subject, list(parts))
        case ast.MatchClass():
            return _class(f, pattern, subject)
        case _:
            remedy = "There are variants, records, members, numbers, None and _."
            f.refuse(pattern, "this pattern is not in the language", remedy)


def _any_of(f: Frame, options: list[ast.pattern], subject: e.Expression) -> e.Expression:
    """One of several patterns; a name is bound by the first of them that matches."""
    outer = f.names
    tests: list[e.Expression] = []
    bound: list[dict[str, Binding]] = []
    for option in options:
        f.names = dict(outer)
        tests.append(_test(f, option, subject))
        bound.append(f.names)
    f.names = dict(outer)
    for name in (n for option in options[:1] for n in captured(option)):
        meanings = [b[name] for b in bound]
        same = all(meaning == meanings[0] for meaning in meanings)
        f.names[name] = meanings[0] if same else Known(_first_bound(f, options, tests, meanings))
    return build.disjunction(tests)


def _first_bound(
    f: Frame, options: list[ast.pattern], tests: list[e.Expression], bindings: list[Binding]
) -> e.Expression:
    known = [b for b in bindings if isinstance(b, Stored | Known)]
    values = [e.Local(f.body.types[b.name], b.name) if isinstance(b, Stored) else b.meaning for b in known]
    result = values[-1]
    assert isinstance(result, e.Expression)
    for option, test, value in list(zip(options, tests, values))[-2::-1]:
        assert isinstance(value, e.Expression)
        then, other = expressions.same(f, option, value, result)
        result = build.if_else(test, then, other)
    return result


def captured(pattern: ast.pattern) -> list[str]:
    """The names that a pattern binds."""
    return [n.name for n in ast.walk(pattern) if isinstance(n, ast.MatchAs) and n.name is not None]


def _class(f: Frame, pattern: ast.MatchClass, subject: e.Expression) -> e.Expression:
    kind = expressions.meaning(f, pattern.cls)
    present: e.Expression = build.TRUE
    if isinstance(subject.type, t.Optional):
        present = build.is_some(subject)
        subject = e.Unwrap(subject.type.item, subject, line_of(pattern))
    keywords = list(zip(pattern.kwd_attrs, pattern.kwd_patterns))
    match kind:
        case m.VariantName():
            found = comparisons.is_variant(f, pattern.cls, subject)  # type: ignore[arg-type]
            parts = [e.VariantField(type, subject, kind.variant, n, line_of(pattern)) for n, type in kind.record.fields]
            rest = _parts(f, pattern, kind.record, parts, pattern.patterns, keywords)
            return build.conjunction([present, found, rest])
        case m.TypeName(_, t.Record()):
            f.refuse(pattern, "a record as a pattern", "Match its fields: case (x, y).")
        case _:
            remedy = "Match variants (self.Wire.Data(m)), members, numbers, None, tuples of these, or a name."
            f.refuse(pattern, f"{ast.unparse(pattern.cls)} is no variant or record of {subject.type}", remedy)


def _parts(
    f: Frame,
    pattern: ast.pattern,
    record: t.Record,
    parts: Sequence[e.Expression],
    patterns: list[ast.pattern],
    keywords: list[tuple[str, ast.pattern]],
) -> e.Expression:
    names = [n for n, _ in record.fields]
    if len(patterns) > len(names) or any(n not in names for n, _ in keywords):
        f.refuse(pattern, f"{record.name} has the fields {', '.join(names) or '(none)'}", "Name these, or fewer.")
    chosen = [*zip(parts, patterns), *((parts[names.index(n)], p) for n, p in keywords)]
    return build.conjunction([_test(f, p, part) for part, p in chosen])


def _fields(f: Frame, pattern: ast.pattern, subject: e.Expression, patterns: list[ast.pattern]) -> e.Expression:
    if not isinstance(subject.type, t.Record) or len(subject.type.fields) != len(patterns):
        f.refuse(pattern, f"{subject.type} is not {counted(len(patterns), 'value')}", "Match as many as there are.")
    return _parts(f, pattern, subject.type, build.parts(subject), patterns, [])

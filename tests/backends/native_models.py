"""Models written directly in the intermediate representation, for the tests of the native back end."""

from __future__ import annotations

from checker.ir import expressions as e
from checker.ir import statements as s
from checker.ir import types as t
from checker.ir.model import Action, Function, Model, Parameter, Property, StateVariable

BOOL = t.Bool()


def const(type: t.Type, value: int) -> e.Const:
    return e.Const(type, value)


def true() -> e.Const:
    return e.Const(BOOL, 1)


def local(type: t.Type, name: str) -> e.Local:
    return e.Local(type, name)


def var(type: t.Type, name: str) -> e.Variable:
    return e.Variable(type, name)


def at(base: e.Expression, key: e.Expression) -> e.Index:
    assert isinstance(base.type, t.Map | t.Seq)
    return e.Index(base.type.value if isinstance(base.type, t.Map) else base.type.item, base, key)


def eq(left: e.Expression, right: e.Expression) -> e.Compare:
    return e.Compare(BOOL, "==", left, right)


def ne(left: e.Expression, right: e.Expression) -> e.Compare:
    return e.Compare(BOOL, "!=", left, right)


def le(left: e.Expression, right: e.Expression) -> e.Compare:
    return e.Compare(BOOL, "<=", left, right)


def gt(left: e.Expression, right: e.Expression) -> e.Compare:
    return e.Compare(BOOL, ">", left, right)


def both(*operands: e.Expression) -> e.And:
    return e.And(BOOL, operands)


def either(*operands: e.Expression) -> e.Or:
    return e.Or(BOOL, operands)


def negation(value: e.Expression) -> e.Not:
    return e.Not(BOOL, value)


def has(container: e.Expression, item: e.Expression) -> e.Contains:
    return e.Contains(BOOL, container, item)


def domain(type: t.Type) -> e.Domain:
    return e.Domain(t.Set(type))


def every(name: str, type: t.Type, body: e.Expression) -> e.Quantifier:
    return e.Quantifier(BOOL, "all", (e.Generator(local(type, name), domain(type)),), body)


def some(name: str, type: t.Type, body: e.Expression) -> e.Quantifier:
    return e.Quantifier(BOOL, "any", (e.Generator(local(type, name), domain(type)),), body)


def require(condition: e.Expression) -> s.Require:
    return s.Require(1, condition)


def put(target: e.Expression, value: e.Expression) -> s.Assign:
    return s.Assign(1, target, value)


def predicate(name: str, body: e.Expression) -> Function:
    return Function(name, (), (), BOOL, (s.Return(1, body),))


def action(name: str, parameters: dict[str, t.Type], *body: s.Statement, fault: bool = False) -> Action:
    return Action(name, tuple(Parameter(n, k) for n, k in parameters.items()), (), body, fault)


def two_phase_commit(managers: int) -> Model:
    """Gray and Lamport's two-phase commit, as in TLA+ TwoPhase."""
    rm = t.Ids("rm", tuple(f"r{i}" for i in range(managers)))
    rm_state = t.Enum("RMState", ("working", "prepared", "committed", "aborted"))
    tm_state = t.Enum("TMState", ("init", "committed", "aborted"))
    message = t.Union("Message", (t.Record("Prepared", (("rm", rm),)), t.Record("Commit", ()), t.Record("Abort", ())))
    states, tm = var(t.Map(rm, rm_state), "rmState"), var(tm_state, "tmState")
    prepared, msgs = var(t.Set(rm), "tmPrepared"), var(t.Set(message), "msgs")
    working, is_prepared, committed, aborted = (const(rm_state, i) for i in range(4))
    init, tm_committed, tm_aborted = (const(tm_state, i) for i in range(3))
    r = local(rm, "r")

    def make(variant: str, *fields: e.Expression) -> e.MakeVariant:
        return e.MakeVariant(message, variant, fields)

    actions = (
        action(
            "TMRcvPrepared",
            {"r": rm},
            require(both(eq(tm, init), has(msgs, make("Prepared", r)))),
            s.SetAdd(1, prepared, r),
        ),
        action(
            "TMCommit",
            {},
            require(both(eq(tm, init), eq(prepared, domain(rm)))),
            put(tm, tm_committed),
            s.SetAdd(1, msgs, make("Commit")),
        ),
        action("TMAbort", {}, require(eq(tm, init)), put(tm, tm_aborted), s.SetAdd(1, msgs, make("Abort"))),
        action(
            "RMPrepare",
            {"r": rm},
            require(eq(at(states, r), working)),
            put(at(states, r), is_prepared),
            s.SetAdd(1, msgs, make("Prepared", r)),
        ),
        action("RMChooseToAbort", {"r": rm}, require(eq(at(states, r), working)), put(at(states, r), aborted)),
        action("RMRcvCommitMsg", {"r": rm}, require(has(msgs, make("Commit"))), put(at(states, r), committed)),
        action("RMRcvAbortMsg", {"r": rm}, require(has(msgs, make("Abort"))), put(at(states, r), aborted)),
    )
    consistent = negation(
        both(
            some("p", rm, eq(at(states, local(rm, "p")), aborted)),
            some("q", rm, eq(at(states, local(rm, "q")), committed)),
        )
    )
    initial = action(
        "initial",
        {},
        put(states, e.Everywhere(states.type, working)),
        put(tm, init),
        put(prepared, e.MakeSet(prepared.type, ())),
        put(msgs, e.MakeSet(msgs.type, ())),
    )
    return Model(
        "two_phase_commit",
        tuple(StateVariable(v.name, v.type) for v in (states, tm, prepared, msgs)),
        (predicate("consistent", consistent),),
        initial,
        actions,
        (Property("consistent", "invariant", "consistent", 1),),
    )


def ewd840(nodes: int) -> Model:
    """Dijkstra's termination detection on a ring."""
    node = t.Int(0, nodes - 1)
    color = t.Enum("Color", ("white", "black"))
    active, colors = var(t.Map(node, BOOL), "active"), var(t.Map(node, color), "color")
    tpos, tcolor = var(node, "tpos"), var(color, "tcolor")
    white, black, zero, last = const(color, 0), const(color, 1), const(node, 0), const(node, nodes - 1)
    i, j = local(node, "i"), local(node, "j")
    actions = (
        action(
            "InitiateProbe",
            {},
            require(both(eq(tpos, zero), either(eq(tcolor, black), eq(at(colors, zero), black)))),
            put(tpos, last),
            put(tcolor, white),
            put(at(colors, zero), white),
        ),
        action(
            "PassToken",
            {"i": node},
            require(ne(i, zero)),
            require(both(eq(tpos, i), either(negation(at(active, i)), eq(at(colors, i), black), eq(tcolor, black)))),
            put(tpos, e.Narrow(node, e.Arithmetic(t.Int(-1, nodes - 2), "-", i, const(t.Int(1, 1), 1)))),
            s.If(1, eq(at(colors, i), black), (put(tcolor, black),)),
            put(at(colors, i), white),
        ),
        action(
            "SendMsg",
            {"i": node, "j": node},
            require(both(ne(i, j), at(active, i))),
            put(at(active, j), true()),
            s.If(1, gt(j, i), (put(at(colors, i), black),)),
        ),
        action("Deactivate", {"i": node}, require(at(active, i)), put(at(active, i), const(BOOL, 0))),
    )
    quiet = either(
        negation(both(eq(tpos, zero), eq(tcolor, white), eq(at(colors, zero), white), negation(at(active, zero)))),
        every("q", node, negation(at(active, local(node, "q")))),
    )
    q = local(node, "q")
    chosen, picked = local(BOOL, "chosen"), local(color, "picked")
    initial = Action(
        "initial",
        (),
        (),
        (
            s.For(1, q, domain(node), (s.Choose(1, chosen, domain(BOOL)), put(at(active, q), chosen))),
            s.For(1, q, domain(node), (s.Choose(1, picked, domain(color)), put(at(colors, q), picked))),
            s.Choose(1, local(node, "start"), domain(node)),
            put(tpos, local(node, "start")),
            put(tcolor, black),
        ),
    )
    return Model(
        "ewd840",
        tuple(StateVariable(v.name, v.type) for v in (active, colors, tpos, tcolor)),
        (predicate("quiet", quiet),),
        initial,
        actions,
        (Property("terminated", "invariant", "quiet", 1),),
    )


def filled_sets() -> Model:
    """Sets that become full, by a map comprehension, once for each member of one of them."""
    key, item = t.Enum("Key", ("a", "b", "c")), t.Int(-2, 2)
    sets, other = var(t.Map(key, t.Set(item)), "sets"), var(key, "other")
    one = e.MakeSet(t.Set(item), (const(item, 1),))
    fill = put(sets, e.MapOf(sets.type, local(key, "k"), domain(item)))
    again = s.Choose(1, local(item, "y"), at(sets, const(key, 2)))
    return Model(
        "filled_sets",
        tuple(StateVariable(v.name, v.type) for v in (sets, other)),
        (),
        action("initial", {}, put(sets, e.Everywhere(sets.type, one)), put(other, const(key, 1))),
        (
            action(
                "fill",
                {},
                s.For(1, local(item, "x"), at(sets, const(key, 1)), (fill, again)),
                require(eq(other, other)),
            ),
        ),
        (),
    )


def wide_members() -> Model:
    """A number is looked for in a set of narrower numbers that does not begin at zero."""
    wide, item = t.Int(-4, 6), t.Int(-2, 3)
    n, held, found = var(wide, "n"), var(t.Set(item), "held"), var(BOOL, "found")
    return Model(
        "wide_members",
        tuple(StateVariable(v.name, v.type) for v in (n, held, found)),
        (),
        action(
            "initial",
            {},
            put(n, const(wide, 0)),
            put(held, e.MakeSet(t.Set(item), tuple(const(item, x) for x in (-2, 0, 3)))),
            put(found, const(BOOL, 0)),
        ),
        (action("look", {"x": wide}, put(n, local(wide, "x")), put(found, e.Contains(BOOL, held, local(wide, "x")))),),
        (),
    )

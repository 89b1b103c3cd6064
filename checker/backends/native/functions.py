"""Emission of rules and properties (functions), of their calls, and of actions.

A function gets pointers to the state and to the state before the step, small arguments as numbers, large ones as
pointers. It returns its value, together with a status (0, or finding + 1) if its code can fail; LLVM decides which
functions are inlined.

An action reads `%in`, writes `%out` and returns 0 (disabled), 1 (done), 2 + finding, or -1 (done, but the acting
process crashed in the middle of it).
"""

from __future__ import annotations

from checker.assembly import Assembly, Operand
from checker.backends.native import access, domain, remembered
from checker.backends.native.analysis import stored_locals
from checker.backends.native.context import Big, Compiled, Context, ModuleContext, Ref, Value, evaluates
from checker.backends.native.packing import count, is_atom
from checker.backends.native.runtime import SMALL
from checker.backends.native.tabled import words_of
from checker.ir import expressions as e
from checker.ir.model import Action, Function, Parameter
from checker.ir.statements import Choose, Require, Stop
from checker.ir.visit import walk

DISABLED, DONE, CRASHED = 0, 1, -1

SMALL_LINES = 60
"""Rules of fewer lines of assembly are always inlined, where LLVM does not decide."""
ENDS = "willreturn mustprogress"
"""What LLVM may assume of a rule: its loops are bounded.  A rule only reads, so equal calls are made once."""


def _arguments(f: Context, parameters: tuple[Parameter, ...]) -> None:
    """Bind the parameters to the arguments %a0, %a1, ..."""
    for i, parameter in enumerate(parameters):
        kind = parameter.type
        if is_atom(kind):
            f.names[parameter.name] = f"%a{i}"
        else:
            f.names[parameter.name] = Big(kind, f.module.temporary(kind).nodes[""], f"%a{i}", 0)


def _signature(parameters: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    return [("i64" if is_atom(p.type) else "ptr", f"%a{i}") for i, p in enumerate(parameters)]


def _places(f: Context, of: Function | Action) -> None:
    """Give places to the locals that need one."""
    names = frozenset(p.name for p in of.parameters)
    wanted = stored_locals(of.body, names)
    for variable in (*of.parameters, *of.locals):
        if variable.name in wanted:
            place = access.zeroed(f, variable.type)
            if variable.name in names:
                bound = f.names[variable.name]
                assert isinstance(bound, int | str | Big)
                access.store(f, place, bound)
            f.names[variable.name] = f.stored[variable.name] = place


def table_parameter(module: ModuleContext) -> list[tuple[str, str]]:
    """The parameter for the remembered values of rules."""
    return [("ptr", "%table")] if module.remembered else []


# -- rules


def compiled(module: ModuleContext, name: str) -> Compiled:
    """The emitted function of a rule; emitted at the first request."""
    if name not in module.compiled:
        function = module.function(name)
        number = [f.name for f in module.model.functions].index(name)
        words = words_of(module.model, function)
        if words is not None:
            module.compiled[name] = _looked_up(module, function, f"rule_{number}", words)
        else:
            module.compiled[name] = _remembering(module, function, _emit(module, function, f"rule_{number}"))
    return module.compiled[name]


def _looked_up(module: ModuleContext, function: Function, name: str, words: tuple[int, ...]) -> Compiled:
    """A rule whose values are known: a word for each combination of arguments."""
    heads = [("ptr readonly", "%state"), ("ptr readonly", "%before"), *table_parameter(module)]
    b = Assembly(name, "i64", heads + _signature(function.parameters))
    f = Context(module, b, lambda status: _give_error(b, status))
    b.give(f"i64 {b.load(module.constant(words), _number(f, function))}")
    b.inline = f"{SMALL} {ENDS}"
    module.texts.append(b.text())
    return Compiled(name, False)


def _number(f: Context, function: Function) -> Operand:
    """The number of the combination of arguments of a rule."""
    number: Operand = 0
    for i, parameter in enumerate(function.parameters):
        number = f.b.add(f.b.mul(number, count(parameter.type)), domain.place(f, parameter.type, f"%a{i}"))
    return number


def _remembering(module: ModuleContext, function: Function, computed: Compiled) -> Compiled:
    """The same rule, computed only if its value is not known, where it has a table."""
    place = module.remembered.places.get(function.name)
    if place is None:
        return computed
    name = f"{computed.name}_once"
    heads = [("ptr readonly", "%state"), ("ptr readonly", "%before"), *table_parameter(module)]
    b = Assembly(name, "{i64, i64}" if computed.fails else "i64", heads + _signature(function.parameters))
    f = Context(module, b, lambda status: _give_error(b, status))
    at = remembered.entry(b, f.table, place, _number(f, function))
    with remembered.when_known(b, f.table, at) as known:
        _give_result(f, True, computed.fails, known)
    arguments: list[Operand] = [f"%a{i}" for i in range(len(function.parameters))]
    value, status = call(f, computed, True, ("%state", "%before"), arguments)
    if computed.fails:
        f.propagate(status)
    remembered.remember(b, f.table, at, value)
    _give_result(f, True, computed.fails, value)
    b.inline = f"{SMALL} {ENDS}"
    module.texts.append(b.text())
    return Compiled(name, computed.fails)


def _emit(module: ModuleContext, function: Function, name: str) -> Compiled:
    small = is_atom(function.result)
    heads = [("ptr readonly", "%state"), ("ptr readonly", "%before"), *table_parameter(module)]
    parameters = heads + _signature(function.parameters) + ([] if small else [("ptr", "%result")])
    b = Assembly(name, "i64", parameters)
    fails: list[Operand] = []

    def fail(status: Operand) -> None:
        fails.append(status)
        if small:
            _give_error(b, status)
        else:
            b.give(f"i64 {status}")

    f = Context(module, b, fail)
    _arguments(f, function.parameters)
    _places(f, function)
    result: Ref
    if small:
        result = access.zeroed(f, function.result)
    else:
        result = Big(function.result, module.temporary(function.result).nodes[""], "%result", 0)
    end = b.new_label()

    def returned(value: e.Expression) -> None:
        f.build(value, result)
        b.jump(end)

    f.returned = returned
    f.run(function.body)
    b.label(end)
    value = access.raw(f, result) if not isinstance(result, Big) else 0
    _give_result(f, small, bool(f.failures or fails), value)
    f.finish_failures()
    b.result = "{i64, i64}" if small and fails else "i64"
    b.inline = f"{SMALL} {ENDS}" if b.size < SMALL_LINES else ENDS
    module.texts.append(b.text())
    return Compiled(name, bool(fails))


def _give_error(b: Assembly, status: Operand) -> None:
    b.give(f"{{i64, i64}} {b.register(f'insertvalue {{i64, i64}} {{i64 0, i64 0}}, i64 {status}, 1')}")


def _give_result(f: Context, small: bool, fails: bool, value: Operand) -> None:
    b = f.b
    if small and fails:
        b.give(f"{{i64, i64}} {b.register(f'insertvalue {{i64, i64}} {{i64 0, i64 0}}, i64 {value}, 0')}")
    else:
        b.give(f"i64 {value}")


def call(
    f: Context, function: Compiled, small: bool, states: tuple[str, str], arguments: list[Operand]
) -> tuple[Operand, Operand]:
    """Call an emitted rule: (packed value, status).  states: the state, and the one before it."""
    b, name = f.b, f"@{function.name}"
    arguments = [*states, *([f.table] if f.table else []), *arguments]
    if not small:
        return 0, b.call(name, *arguments)
    if not function.fails:
        return b.call(name, *arguments), 0
    both = b.call(name, *arguments, result="{i64, i64}")
    value = b.register(f"extractvalue {{i64, i64}} {both}, 0")
    return value, b.register(f"extractvalue {{i64, i64}} {both}, 1")


def passed(f: Context, argument: e.Expression) -> Operand:
    """An argument in the form that a rule takes: a large one is copied."""
    given = f.evaluate(argument)
    if not isinstance(given, Big):
        return given
    held = f.big_temporary(argument.type)
    access.copy(f, held, given)
    return held.pointer


@evaluates(e.Call)
def _call(f: Context, node: e.Call) -> Value:
    place = None if is_atom(node.type) else f.big_temporary(node.type)
    function = compiled(f.module, node.function)
    has_before = f.before != "%before" or any(name == "%before" for _, name in f.b.parameters)
    states = f.state, f.before if has_before else f.state
    arguments = [passed(f, argument) for argument in node.arguments]
    if place is not None:
        arguments.append(place.pointer)
    if f.state == "%out" and f.table:
        with remembered.apart(f.b, f.table):
            value, status = call(f, function, place is None, states, arguments)
    else:
        value, status = call(f, function, place is None, states, arguments)
    f.propagate(status)
    return access.unpacked(f, node.type, value) if place is None else place


# -- actions


def emit_action(
    module: ModuleContext, action: Action, name: str, opening: Choose | None = None, label_words: int = 0
) -> Assembly:
    """The function of an action; the caller finishes its text and decides on inlining.

    `opening`: the choice at its head that the caller makes and passes as the last argument. `label_words`: if not 0, a
    further argument %label points to this many words, into which the received message is written.
    """
    heads = [("ptr noalias readonly", "%in"), ("ptr noalias", "%out"), ("ptr noalias", "%script")]
    heads += [("ptr noalias", "%label")] if label_words else []
    heads += table_parameter(module)
    choice = [] if opening is None else [("i64", "%choice")]
    b = Assembly(name, "i64", heads + _signature(action.parameters) + choice)
    f = Context(module, b, lambda status: b.give(f"i64 {b.add(status, 1)}"))
    f.state, f.copied, f.leading = "%in", False, opening
    f.disabled, f.stop, f.crash = b.new_label(), b.new_label(), b.new_label()
    _arguments(f, action.parameters)
    _places(f, action)
    opened = _opening_length(action)
    f.run(action.body[:opened])
    if b.open and label_words:
        _write_received(f, action, label_words)
    f.run(action.body[opened:])
    if b.open:
        f.begin_writing()
    b.label(f.stop)
    b.give(f"i64 {DONE}")
    b.label(f.disabled)
    b.give(f"i64 {DISABLED}")
    if may_crash(action):
        b.label(f.crash)
        b.give(f"i64 {CRASHED}")
    f.finish_failures()
    return b


def may_crash(action: Action) -> bool:
    """Whether the acting process may crash in the middle of it."""
    return any(isinstance(part, Stop) and part.crash for part in walk(action.body))


def _opening_length(action: Action) -> int:
    """The number of statements before the first effect: choices and guards."""
    kinds = [isinstance(statement, Choose | Require) for statement in action.body]
    return kinds.index(False) if False in kinds else len(kinds)


def received_words(module: ModuleContext, action: Action) -> int:
    """The number of words that identify the message that an action receives."""
    return sum(1 if is_atom(part.type) else module.temporary(part.type).words for part in action.received)


def _write_received(f: Context, action: Action, label_words: int) -> None:
    """Write the received message, followed by zeros: equal messages give equal words."""
    b, at = f.b, 0
    for part in action.received:
        if is_atom(part.type):
            b.store(access.packed(f, part.type, f.operand(part)), "%label", at)
            at += 1
            continue
        layout = f.module.temporary(part.type)
        place = Big(part.type, layout.nodes[""], b.address("%label", at), 0)
        access.clear(f, place)
        access.store(f, place, f.evaluate(part))
        at += layout.words
    for rest in range(at, label_words):
        b.store(0, "%label", rest)

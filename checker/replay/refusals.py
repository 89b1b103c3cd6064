"""Each disabled action instance of a state, with the part of its guard that disables it and the values.

The interpreter executes every instance; where one is disabled, the failing `require` is still on the stack, so the
condition is taken apart there (checker.replay.guards), with its values.  A handler is tried message by message.
Instances that only the network disables (no such message is in flight, the choice of a crash that reaches everybody)
are left out.  An instance that is enabled with some choices counts as enabled.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

from attrs import define, evolve, field

from checker.backends.interpreter.gathering import Waiting, body_of
from checker.backends.interpreter.interpreter import Interpreter, Raw
from checker.language import choice
from checker.language.definition import ActionDefinition
from checker.language.errors import Disabled
from checker.language.places import written
from checker.replay.guards import conjuncts, first_false, truth_of, why
from checker.replay.opened import opened
from checker.replay.plain import instance_text, value_text
from checker.replay.scope import Scope
from checker.results.explained import Enabled, Explanation, Refusal
from checker.wording import counted


def explain(
    interpreter: Interpreter, state: Raw, action: str | None = None, witness: Collection[str] = ()
) -> Explanation:
    """Every instance of the actions (or of one action) in a state: enabled, or disabled with the reason. witness:
    values that a reason explains in more detail.
    """
    probe = _Probe(interpreter.definition, witness=frozenset(witness))
    enabled: list[Enabled] = []
    refused: list[Refusal] = []
    idle: list[str] = []
    for definition in (a for a in interpreter.definition.actions if action in (None, a.name)):
        allowed, blocked, known = probe.tried(state, definition)
        enabled += allowed
        refused += blocked
        idle += [definition.name] if not known and definition.kind not in ("action", "crash") else []
    return Explanation(tuple(enabled), tuple(refused), tuple(idle))


def asked_of(interpreter: Interpreter, state: Raw, refused: Refusal) -> tuple[ast.expr, Scope] | None:
    """The part of the guard that disables an instance in a state, with its scope; None if that is not known."""
    probe = _Probe(interpreter.definition)
    for action in (a for a in interpreter.definition.actions if a.name == refused.action):
        probe.tried(state, action)
    return probe.asked.get(refused.instance)


@define
class _Probe(Interpreter):
    """An interpreter that records why instances are disabled."""

    refusals: list[Refusal | None] = field(factory=list)
    _message_in_hand: tuple[Any, Any, Any] | None = None
    witness: frozenset[str] = frozenset()  # values that a reason explains in more detail
    asked: dict[str, tuple[ast.expr, Scope]] = field(factory=dict)  # by instance the part of its guard that disables it

    def tried(self, state: Raw, action: ActionDefinition) -> tuple[list[Enabled], list[Refusal], bool]:
        """The enabled instances of an action, the disabled instances, and whether the action has any instance."""
        enabled: dict[str, Enabled] = {}
        refused: dict[str, Refusal] = {}
        for arguments in product(*(p.domain.members for p in action.tried)):
            self.refusals.clear()
            for step in self._instances(state, action, arguments):
                values = [v for _, v in step.arguments] if action.quorum is None else arguments
                name = instance_text(action.name, values)
                enabled.setdefault(name, Enabled(name, action.name, [value_text(v) for v in values]))
            for refusal in self.refusals:
                if refusal is not None:
                    refused.setdefault(refusal.instance, refusal)
        known = bool(enabled or refused)
        return list(enabled.values()), [r for name, r in refused.items() if name not in enabled], known

    def _perform(self, action: ActionDefinition, arguments: tuple[Any, ...]) -> tuple[tuple[str, Any], ...] | None:
        self._message_in_hand = None
        try:
            return super()._perform(action, arguments)
        except Disabled as refusal:
            choice.executing(None)  # conditions are evaluated again, which must take no choice of the search
            self.refusals.append(self._refusal(action, arguments, refusal.__traceback__))
            raise

    def _message(self, network: Any) -> tuple[Any, Any, Any]:
        self._message_in_hand = super()._message(network)
        return self._message_in_hand

    def _refusal(
        self, action: ActionDefinition, arguments: tuple[Any, ...], stack: TracebackType | None
    ) -> Refusal | None:
        values = self._values(action, arguments)
        frames = list(_frames(stack))
        own = next(((f, i) for f, i in reversed(frames) if not _internal(f.f_code.co_filename)), None)
        last = next((f for f, _ in reversed(frames) if not f.f_code.co_filename.endswith("/language/choice.py")), None)
        if last is None or (own is not None and last is not own[0]):
            return None  # disabled inside the language: such an instance is not reported
        name = instance_text(action.name, values)
        words = tuple(value_text(v) for v in values)
        if own is None:
            waiting = last.f_locals.get("self") if action.quorum is not None else None
            waits, crashed = isinstance(waiting, Waiting) and waiting.wanted >= 1, ""
            if isinstance(waiting, Waiting):
                reason = not_yet(waiting)
            elif last.f_code.co_name == "_act":
                crashed = value_text(self._acting(action, values))
                reason = f"{crashed} has crashed"
            else:
                reason = self._built_in(action, values, last.f_code.co_name)
            if reason is None:
                return None
            fault = action.fault
            return Refusal(action.name, name, words, reason, reason, fault=fault, waits=waits, crashed=crashed)
        frame, instruction = own
        refusal = Refusal(action.name, name, words, "", "", fault=action.fault)
        return _located(frame, instruction, refusal, self.witness, self.asked)

    def _values(self, action: ActionDefinition, arguments: tuple[Any, ...]) -> list[Any]:
        if self._message_in_hand is None:
            return list(arguments)
        source, target, body = self._message_in_hand
        if action.kind == "receive" and action.variant is not None and type(body).__name__ == action.variant:
            return [target, source, *(getattr(body, p.name) for p in action.parameters[2:])]
        return [target, source, body] if action.kind == "receive" else [source, target, body]

    def _acting(self, action: ActionDefinition, values: list[Any]) -> Any:
        """The process that acts."""
        if action.kind == "receive":
            return values[0]
        return dict(zip((p.name for p in action.parameters), values))[action.actor or ""]

    def _built_in(self, action: ActionDefinition, values: list[Any], where: str) -> str | None:
        """Why the language disables an instance, None if there is no instance to report."""
        model, constants = self.model, self.definition.constants
        if action.kind == "crash":
            if values[0] in model.storage["crashed"]:
                return f"{value_text(values[0])} has crashed already"
            return f"the budget is used up: crashes = {constants['crashes']}"
        if where == "heal":
            return "the network is not split"
        if where == "partition":
            if not values[0] or next(iter(self.definition.process or ())) in values[0]:
                return None
            used_up = f"the budget is used up: partitions = {constants['partitions']}"
            return "the network is split already" if model.storage["apart"] else used_up
        budget, used = ("losses", "lost") if action.kind == "lose" else ("duplicates", "duplicated")
        if action.kind in ("lose", "duplicate") and model.storage[used] >= constants[budget]:
            return f"the budget is used up: {budget} = {constants[budget]}"
        return None


def not_yet(waiting: Waiting) -> str | None:
    """The senders of the messages for which a quorum still waits; None if no message for it is in flight, so that no
    reception has begun.
    """
    if not waiting.there:
        return None
    if waiting.wanted < 1:
        return f"it asks for {counted(waiting.wanted, 'message')}, and takes one or more"
    name, values = waiting.action.variant or "message", [waiting.given[n] for n in waiting.quorum.common]
    what = instance_text(name, values)
    here, missing = (", ".join(map(value_text, group)) for group in (waiting.there, waiting.missing))
    if waiting.quorum.count is None:
        reason = f"it waits for {what} from {missing}; from {here} it is there"
    else:
        more = waiting.wanted - len(waiting.there)
        reason = f"it waits for {what} from {more} more of {missing or 'nobody'}; from {here} it is there"
    network, receiver = waiting.network, next(iter(waiting.given.values()))
    heads = {m[0]: body_of(network, m) for m in network.messages() if m[1] == receiver}
    behind = [q for q in waiting.missing if q in heads] if network.definition.fifo else []
    return reason + "".join(f"; first from {value_text(q)} is {value_text(heads[q])}" for q in behind)


def _frames(stack: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while stack is not None:
        yield stack.tb_frame, stack.tb_lasti
        stack = stack.tb_next


def _internal(file: str) -> bool:
    in_language = "/checker/language/" in file and not file.endswith("/multicast.py")
    return in_language or "/checker/backends/" in file or file == __file__


def _located(
    frame: FrameType,
    instruction: int,
    refusal: Refusal,
    witness: frozenset[str],
    asked: dict[str, tuple[ast.expr, Scope]],
) -> Refusal:
    """The disabled instance with its reason, from the call that raised Disabled."""
    code = frame.f_code
    names = {**frame.f_globals, **frame.f_locals}
    scope = Scope(names, code.co_varnames[0] if code.co_varnames else "self")
    call = _call(code, instruction)
    file, line = code.co_filename, frame.f_lineno
    if call is None or not call.args:
        return evolve(refusal, reason=f"line {line} refuses it", condition=f"line {line}", file=file, line=line)
    part, passed = call.args[0], sum(code.co_firstlineno <= node.lineno < call.lineno for node in _calls(file))
    if isinstance(call.func, ast.Name) and call.func.id == "choose":
        reason = f"there is nothing to choose: {scope.text(part)} is empty"
    else:
        parts, part = list(conjuncts(part)), first_false(part, scope)
        passed += parts.index(part) if part in parts else 0
        alone = not any(truth_of(p, scope) is False for p in parts[parts.index(part) + 1 :]) if part in parts else True
        refusal = evolve(refusal, alone=alone)
        asked[refusal.instance] = part, scope
        reason = why(part, scope)
        if more := opened(part, scope, file, call.lineno, witness):
            reason = f"{reason}: {more}"
    return evolve(refusal, reason=reason, condition=written(part), passed=passed, file=file, line=call.lineno)


def _call(code: CodeType, instruction: int) -> ast.Call | None:
    """The call in the source that contains an instruction."""
    place = list(code.co_positions())[instruction // 2]
    found = (n for n in _calls(code.co_filename) if (n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) == place)
    return next(found, None)


@cache
def _calls(file: str) -> tuple[ast.Call, ...]:
    """The calls of `require` and `choose` in a file."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError):
        return ()
    calls = (n for n in ast.walk(tree) if isinstance(n, ast.Call))
    asked = (n for n in calls if getattr(n.func, "id", None) in ("require", "choose"))
    return tuple(sorted(asked, key=lambda n: (n.lineno, n.col_offset)))

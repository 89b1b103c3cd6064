"""Locality: which action reads or changes a value that the acting process cannot know, or sends as another process.

A process knows its own elements of maps by process, the message that it receives, and values that are the same in all
states. It does not know another process's element, a variable that belongs to no process, messages in flight, and
crashed processes: a step that reads these is more powerful than a step of a real system.  Such a read can be intended
(a failure detector, a clock, an abstraction of shared storage) or be a mistake; it is listed with file and line, and
has no effect on verdicts.

Locality is read off the footprints of all instances (`checker.ir.footprints`).  A key therefore counts as the own
process if it is equal to it for each process and message, however it is written.  Properties may read everything and
are left out; so are tests by the language itself, such as whether the target of a message has crashed.  Where it stops:
a footprint contains what some execution may read; a model with too many instances is not examined.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from checker.frontend.lower import lower
from checker.frozen import frozen
from checker.ir import types as t
from checker.ir.footprints.effects import Write
from checker.ir.footprints.effort import TooMany
from checker.ir.footprints.evaluating import Read
from checker.ir.footprints.instances import Instance, Instances, Kind
from checker.ir.footprints.places import At, Part
from checker.ir.model import Model as Lowered
from checker.ir.values import Raw
from checker.language.definition import ActionDefinition, Definition
from checker.language.errors import shown
from checker.language.places import PACKAGE, function_node, tree
from checker.results.locality import Distant, Sight

FAULTS = {"crashed", "lost", "duplicated", "splits", "apart"}


def distant(definition: Definition) -> tuple[Distant, ...] | None:
    """The values that actions read or change although their process does not know them, in the order of the model; None
    if there are too many instances.
    """
    if definition.process is None:
        return ()
    model = lower(definition)
    try:
        instances = Instances.of(model)
    except TooMany:
        return None
    looking = _Looking(definition, model, instances.found)
    lines: dict[Distant, dict[int, None]] = {}
    for found, line in (x for instance in instances.found for x in looking.at(instance)):
        lines.setdefault(found, {})[line] = None
    return tuple(evolve(found, lines=tuple(sorted(at))) for found, at in lines.items())


@frozen
class _Mark:
    """The place of an access: the rule ("" for a method of the action) and the line."""

    rule: str
    line: int


@define
class _Looking:
    definition: Definition
    model: Lowered
    instances: list[Instance]
    types: dict[str, t.Type] = field(init=False)
    changed: set[str] = field(init=False)
    files: dict[tuple[str, _Mark, str], str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.types = {v.name: v.type for v in self.model.variables}
        self.changed = {w.part.variable for i in self.instances for w in i.writes}

    def at(self, instance: Instance) -> Iterator[tuple[Distant, int]]:
        """The accesses of one instance to values that its process does not know, with their lines."""
        name = self.model.actions[instance.head.action].name
        action = next(a for a in self.definition.actions if a.name == name)
        process = acting(action, instance)
        if process is None or action.function is None:
            return
        for read in instance.reads:
            mark = None if read.crash else self._mark(read)
            if mark is not None and (sight := self._sight(read, process, mark)):
                yield self._told(action, read.part, sight, mark)
        for write in instance.writes:
            if not write.crash and self._another(write, process):
                yield self._told(action, write.part, "changes", _Mark("", write.line))
        for line, network in self._in_anothers_name(instance, process):
            yield self._told(action, Part(network), "sends", _Mark("", line))

    def _told(self, action: ActionDefinition, part: Part, sight: Sight, mark: _Mark) -> tuple[Distant, int]:
        return Distant(action.name, mark.rule, part.variable, sight, self._file(action, mark, part.variable)), mark.line

    # -- what is known

    def _sight(self, read: Read, process: Raw, mark: _Mark) -> Sight | None:
        """Why a process does not know a part; None if it knows the part."""
        part, name = read.part, read.part.variable
        type = self.types[name]
        if "." in name or name not in self.changed and not self._network(type):
            return None  # of a property, or always the same
        if name in FAULTS:
            return "fault" if len(read.through) > 1 else None  # through a rule, not by the language itself
        if self._network(type):
            return None if isinstance(type, t.Map) and not mark.rule else "network"
        if isinstance(type, t.Map) and self._by_process(type):
            return None if part.path and part.path[0] == At(process) else "another"
        return "attribute" if self._attribute(name) else "shared"

    def _another(self, write: Write, process: Raw) -> bool:
        type = self.types[write.part.variable]
        own = write.part.path and write.part.path[0] == At(process)
        plain = "." not in write.part.variable and not self._network(type)
        return plain and isinstance(type, t.Map) and self._by_process(type) and not own

    def _in_anothers_name(self, instance: Instance, process: Raw) -> Iterator[tuple[int, str]]:
        """The lines that send a message whose sender is certainly not the process, and its network."""
        for line, kinds in instance.sendings:
            senders = {dict(kind.identities).get(("source",), process) for kind in kinds}
            if process not in senders:
                yield from sorted({(line, kind.network) for kind in kinds})
        for write in instance.writes:
            queue = write.part.path
            if write.put is not None and self._network(self.types[write.part.variable]) and isinstance(queue[0], At):
                if queue[0] != At(process):
                    yield write.line, write.part.variable

    def _by_process(self, type: t.Map) -> bool:
        assert self.definition.process is not None
        return type.key == self.definition.process.ir

    def _network(self, type: t.Type) -> bool:
        while isinstance(type, t.Map):
            type = type.value
        return isinstance(type, t.Bag | t.Seq) and type.grow is not None

    def _attribute(self, variable: str) -> bool:
        """Whether only sending steps change a variable, each element in one instance: then it is an attribute of
        messages.
        """
        writers = [(i, w.part) for i in self.instances for w in i.writes if w.part.variable == variable]
        parts = [part for _, part in writers]
        return all(i.sends and part.path and part.exact for i, part in writers) and len(set(parts)) == len(parts)

    # -- where

    def _mark(self, read: Read) -> _Mark | None:
        """The innermost place of the model that contains a read; None for a read by the language itself."""
        for rule, line in reversed(read.through):
            if not rule:
                return _Mark("", line) if line else None
            method = self.definition.methods.get(rule)
            if method is not None and not _of_the_language(method.function.__code__.co_filename):
                return _Mark(rule, line)
        return None

    def _file(self, action: ActionDefinition, mark: _Mark, variable: str) -> str:
        key = action.name, mark, variable
        if key not in self.files:
            self.files[key] = str(shown(self._source(action, mark, variable)))
        return self.files[key]

    def _source(self, action: ActionDefinition, mark: _Mark, variable: str) -> str:
        """The file of a place: among the methods with such a line, the first that names the variable there."""
        if mark.rule:
            return str(self.definition.methods[mark.rule].function.__code__.co_filename)
        functions: list[Any] = [action.function, *(x.function for x in self.definition.methods.values())]
        functions += [f for cls in self.definition.model.__mro__ for f in vars(cls).values() if hasattr(f, "__code__")]
        nodes = ((f.__code__.co_filename, function_node(f)) for f in functions)
        there = [file for file, n in nodes if n and n.lineno <= mark.line <= (n.end_lineno or n.lineno)]
        there.sort(key=_of_the_language)  # what a model writes comes first
        named = [file for file in there if variable in statement_text(file, mark.line)]
        return str([*named, *there, functions[0].__code__.co_filename][0])


def acting(action: ActionDefinition, instance: Instance) -> Raw:
    """The process that acts in an instance; None if there is none."""
    opening = instance.head.opening
    if action.kind == "receive" and action.quorum is None:
        return dict(opening.identities).get(("target",)) if isinstance(opening, Kind) else opening and opening[1]
    names = [p.name for p in action.tried]
    return instance.head.arguments[names.index(action.actor)] if action.actor in names else None


def _of_the_language(file: str) -> bool:
    return Path(file).is_relative_to(PACKAGE / "language")


def statement_text(file: str, line: int) -> str:
    """The text of the innermost statement that begins in a line, or of the line."""
    module = tree(file)
    statements = (n for n in ast.walk(module or ast.Module([], [])) if isinstance(n, ast.stmt))
    ends = [n.end_lineno or line for n in statements if n.lineno == line]
    return "".join(linecache.getline(file, n) for n in range(line, min(ends, default=line) + 1))

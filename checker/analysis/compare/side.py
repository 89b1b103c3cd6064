"""One of the two models of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import Factory, frozen

from checker.backends.interpreter.interpreter import Interpreter
from checker.language.define import define
from checker.language.definition import Definition
from checker.language.model import Model
from checker.replay.replay import Replay


@frozen
class Side:
    """A model to be compared: the class, its name in the report, and its constants.  renamed: the names that differ
    from those of the file of the class; version: an earlier version of the other model, whose defaults are its own.
    """

    cls: type[Model]
    label: str
    constants: Mapping[str, Any] = Factory(dict)
    renamed: tuple[str, ...] = ()
    version: bool = False

    @cached_property
    def definition(self) -> Definition:
        """The model without properties."""
        return define(self.cls, self.constants, [])

    def replay(self, engine: str, base: type[Model] | None = None) -> Replay:
        """A replay that makes traces of the model's runs and marks in them the first step that `base` does not
        allow."""
        return Replay(Interpreter(self.definition), self.label, engine, base)

"""A model that several tests lower with the same constants is lowered once in a process.

What is lowered is known by all that lowering reads: the class, the constants, the types, and the functions themselves,
so a class or a function made anew is lowered anew, and so is a model whose lowering was refused.  Where it stops: a
part of the front end, or a global value that a method reads, is not among what is compared; a test that replaces one
lowers classes of its own.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any

import attrs

KEPT = 48
"""Lowered models that are kept at once: neighbouring tests are about the same ones, and memory is small."""


@contextmanager
def lowered_once() -> Iterator[OrderedDict[Hashable, Any]]:
    """Within this, equal models are lowered once; gives those that are kept."""
    from checker.frontend import lower

    kept: OrderedDict[Hashable, Any] = OrderedDict()
    usual = lower._model
    own = getattr(usual, "own", usual)  # of the front end: what is kept further out is not asked
    lower._model = _remembering(own, kept)
    try:
        yield kept
    finally:
        lower._model = usual


def _remembering(make: Callable[..., Any], kept: OrderedDict[Hashable, Any]) -> Callable[..., Any]:
    """`_model` of the front end, which gives a model and fills the program that it is given."""

    def model(whole: Any, asked: Iterable[Any] = ()) -> Any:
        asked = tuple(asked)
        if whole.named or whole.refusals:  # something was lowered before
            return make(whole, asked)
        key = (meant(whole.definition), tuple(whole.types.items()), whole.failing, whole.choosing, asked)
        try:
            known = kept.get(key)
        except TypeError:  # a value without a hash
            return make(whole, asked)
        if known is not None:
            kept.move_to_end(key)
            _fill(whole, known[1])
            return known[0]
        result = make(whole, asked)
        kept[key] = result, {f.name: copy(getattr(whole, f.name)) for f in attrs.fields(type(whole))}
        if len(kept) > KEPT:
            kept.popitem(last=False)
        return result

    model.own = make  # type: ignore[attr-defined]
    return model


def _fill(whole: Any, noted: Mapping[str, Any]) -> None:
    """What was noted while the model was lowered; the definition stays that of the caller."""
    for name, value in noted.items():
        if name not in ("definition", "variables"):
            setattr(whole, name, copy(value))


def meant(value: Any) -> Hashable:
    """Something that is equal for equal definitions: values with their types, functions and classes themselves."""
    from checker.language.domains import Domain

    if isinstance(value, Domain):
        return type(value), getattr(value, "name", None), value.ir, getattr(value, "symmetric", False)
    if isinstance(value, Mapping):
        return tuple((meant(k), meant(v)) for k, v in value.items())
    if type(value) in (tuple, list):
        return type(value), tuple(map(meant, value))
    if attrs.has(type(value)):
        return type(value), tuple(meant(getattr(value, f.name)) for f in attrs.fields(type(value)))
    return type(value), value

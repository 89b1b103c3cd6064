"""Which class of a file is compared with which class of its former version, where none is named.

Classes of one name are versions of one class, and so are the main classes of both files.  The first class that is
changed itself is compared: a class that only inherits a change is not.  If none is changed, the main classes are
compared.  The other changed classes, and those without a former version, are named with the command that compares them.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from checker.analysis.compare.sources import differences
from checker.language.define import define
from checker.language.errors import UsageError
from checker.language.model import Model
from checker.replay.base import base_of, shared_constants

Versions = tuple[type[Model], type[Model]]


@frozen
class Chosen:
    """The versions to compare; changed: the other classes that are changed too; new: those that have no former version
    and edit a model.
    """

    before: type[Model]
    after: type[Model]
    changed: tuple[Versions, ...] = ()
    new: tuple[type[Model], ...] = ()


def chosen(before: Sequence[type[Model]], after: Sequence[type[Model]]) -> Chosen:
    """The classes to compare of two versions of a file, each with its main class first."""
    former = {cls.__name__: cls for cls in before}
    former[after[0].__name__] = before[0]
    pairs = [(former[cls.__name__], cls) for cls in after if cls.__name__ in former]
    changed = [pair for pair in pairs if _is_changed(*pair)]
    first, *others = changed or pairs[:1]
    new = (cls for cls in after if cls.__name__ not in former and base_of(cls) is not None)
    return Chosen(*first, tuple(others), tuple(new))


def _is_changed(before: type[Model], after: type[Model]) -> bool:
    """Whether a class differs from its former version in more than what it inherits from the model that it edits."""
    bases = base_of(before), base_of(after)
    inherited = set() if bases[0] is None or bases[1] is None else _differing(bases[0], bases[1])
    return bool(_differing(before, after) - inherited)


def _differing(before: type[Model], after: type[Model]) -> set[tuple[str, str]]:
    """The kind and name of each part that differs; a class that cannot be read as a model differs."""
    try:
        edit = define(after)
        base = define(before, shared_constants(before, edit.constants))
    except UsageError:
        return {("class", after.__name__)}
    return {(d.kind, d.name) for d in differences(base, edit, ("", ""))}

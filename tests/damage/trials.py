"""All damages of all kinds of files, and what is right after each."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from checker.stored.sealed import seal_json
from tests.damage import damages
from tests.damage.forked import DIRECTORY, Ended, Trial
from tests.damage.kinds import Kind

HARMLESS, MADE_AGAIN, REFUSED = "harmless", "made again", "refused"
CODES = (0, 1, 2, 3, 4)


@frozen
class Asked:
    """A trial and how strictly its end is judged.

    free: the damage may make another valid document (a trace has no checksum; a manifest was sealed again by hand), so
    any regular end is right.
    """

    trial: Trial
    free: bool = False


def judged(asked: Asked, undamaged: Ended, ended: Ended) -> str:
    """What became of a damage; a text that begins with "WRONG" if that is not right."""
    trial = asked.trial
    if any(code not in CODES for code in ended.codes) or len(ended.codes) != len(trial.commands):
        return f"WRONG: exit codes {ended.codes}: {ended.err[-500:]}"
    if "Traceback" in ended.err or "internal error" in ended.err:
        return f"WRONG: {ended.err[-500:]}"
    if set(ended.codes) == {2}:
        files = [Path(file).name for file in trial.edits]
        return (
            REFUSED
            if asked.free or any(name in ended.err for name in files)
            else (f"WRONG: no file is named: {ended.err[-500:]}")
        )
    if asked.free:
        return HARMLESS
    if (ended.codes, ended.report) != (undamaged.codes, undamaged.report):
        return f"WRONG: exit codes {ended.codes}, and not what it was before: {ended.report}"
    return MADE_AGAIN if ended.rewritten else HARMLESS


def asked(kinds: Sequence[Kind], seed: int, most: int) -> list[Asked]:
    """Damages drawn by the seed, at most so many of each kind, in an order drawn by the seed."""
    draw = random.Random(seed)
    found: list[Asked] = []
    for kind in kinds:
        every = list(_of(kind, kinds, seed, most // len(kind.files)))
        found += draw.sample(every, min(most, len(every)))
    draw.shuffle(found)
    return found


def _of(kind: Kind, kinds: Sequence[Kind], seed: int, flips: int) -> Iterator[Asked]:
    free = kind.name in ("trace", "model of a trace")
    for number, file in enumerate(kind.files):
        for label, content in damages.any_file(_read(kind, file), flips, seed + number):
            yield _trial(kind, f"{file}: {label}", {file: content}, free)
    for one, other in _alike(kind.files):
        a, b = _read(kind, one), _read(kind, other)
        if a != b:
            yield _trial(kind, f"{one} and {other} exchanged", {one: b, other: a})
            yield _trial(kind, f"{one} is a copy of {other}", {one: b})
    if kind.name == "trace":
        yield from _of_trace(kind, seed)
    if kind.name.startswith("work directory"):
        yield from _of_work_directory(kind, kinds, seed)


def _trial(kind: Kind, label: str, edits: dict[str, bytes | None], free: bool = False) -> Asked:
    return Asked(Trial(kind.name, label, kind.pristine, edits, kind.commands), free)


def _read(kind: Kind, file: str) -> bytes:
    return (kind.pristine / file).read_bytes()


def _alike(files: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Neighbours among files of one folder and one purpose."""
    purposes: dict[tuple[str, str], list[str]] = {}
    for file in files:
        path = Path(file)
        purposes.setdefault(
            (str(path.parent), next((p for p in ("states", "ends") if p in path.name), path.suffix)), []
        ).append(file)
    for group in purposes.values():
        yield from zip(group, group[1:])


def _of_trace(kind: Kind, seed: int) -> Iterator[Asked]:
    (file,) = kind.files
    for label, content in damages.NO_JSON:
        yield _trial(kind, label, {file: content}, True)
    for label, document in damages.wrong_values(json.loads(_read(kind, file)), 3, seed):
        yield _trial(kind, label, {file: damages.as_json(document)}, True)


def _of_work_directory(kind: Kind, kinds: Sequence[Kind], seed: int) -> Iterator[Asked]:
    header = "work/search.json"
    manifests = [file for file in kind.files if "/levels/" in file]
    for number, file in enumerate([header, *manifests]):
        for label, content in damages.NO_JSON:
            yield _trial(kind, f"{file}: {label}", {file: content}, free=False)
        sealed = json.loads(_read(kind, file))
        for label, document in damages.wrong_values(sealed, 1, seed + number):
            yield _trial(kind, f"{file}: {label}", {file: damages.as_json(document)})
        name = "" if file == header else str(number - 1)
        for label, document in damages.wrong_values(sealed["content"], 1, seed + number):
            try:
                content = seal_json(sealed["checker"], sealed["format"], name, document)
            except ValueError:
                continue
            yield _trial(kind, f"{file}, sealed again: {label}", {file: content}, free=True)
    old = json.dumps({"format": 1, **json.loads(_read(kind, header))["content"]["about"]}, indent=1).encode()
    yield _trial(kind, "of the first format", {header: old})
    following = f"work/levels/{len(manifests):05}.json"
    yield _trial(kind, "the last manifest twice", {following: _read(kind, manifests[-1])})
    for other in kinds:
        if other.name.startswith("work directory") and other.pristine != kind.pristine:
            yield from _foreign(kind, other)


def _foreign(kind: Kind, other: Kind) -> Iterator[Asked]:
    """A file of the same name, or of the same place in the search, of another search."""
    stems = {_stem(file): file for file in kind.files}
    for file in other.files:
        mine = stems.get(_stem(file))
        if mine is not None and _read(kind, mine) != _read(other, file):
            yield _trial(kind, f"{mine} of the search {other.name}", {mine: _read(other, file)})


def _stem(file: str) -> str:
    """A file's name without the part that no other attempt uses."""
    return file.rsplit("-", 1)[0] if "/data/" in file else file


__all__ = ["DIRECTORY", "HARMLESS", "MADE_AGAIN", "REFUSED", "Asked", "asked", "judged"]
